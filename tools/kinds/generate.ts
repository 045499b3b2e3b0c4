import { kindLines, readKinds } from './kinds-table.ts'
import type { ReleaseDirectories } from './modules.ts'
import { readSchemas } from './open-api.ts'
import { readTypeSources, typeLines, typeNameOf } from './types-table.ts'

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** Types of requests and responses other than the kinds themselves. */
const furtherTypes = [
  ...['CreateOptions', 'DeleteOptions', 'GetOptions', 'ListOptions', 'PatchOptions', 'UpdateOptions'],
  ...['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'ListMeta', 'PartialObjectMetadata'],
  ...['Status', 'WatchEvent'],
].map((name) => `${meta}.${name}`)

/** Returns the generated files by name; deterministic for a release. */
export function generateTables(release: ReleaseDirectories): ReadonlyMap<string, string> {
  const schemas = readSchemas(release.kubernetes)
  const kinds = readKinds(release.kubernetes)
  const gvks = kinds.flatMap((kind) => [kind, ...kind.subresources])
  const roots = new Set([...furtherTypes, ...gvks.map((gvk) => typeNameOf(schemas, gvk))])
  const types = typeLines(readTypeSources(release, schemas), [...roots])
  return new Map([
    ['kinds.generated.ts', moduleText('kindLines', kindLines(kinds))],
    ['types.generated.ts', moduleText('typeLines', types)],
  ])
}

function moduleText(name: string, lines: readonly string[]): string {
  const header = '// Written by `npm run kinds` from the files of a Kubernetes release; do not edit.\n'
  return `${header}/** Facts about Kubernetes, one per line; the table readers in the parent folder define the format. */\nexport const ${name}: string = String.raw\`${lines.join('\n')}\`\n`
}
