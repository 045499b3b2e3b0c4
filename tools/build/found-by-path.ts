import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { root } from '../root.ts'

/**
 * An expression that locates another file relative to its own, and its replacement for the bundle, where files have
 * other locations.
 */
interface FoundByPath {
  readonly file: string
  readonly source: string
  readonly bundled: string
}

/** All such expressions. The program's chunks are directly in `dist`, a provider's in `dist/providers/NAME`. */
const foundByPath: readonly FoundByPath[] = [
  {
    file: 'packages/server/src/storage/sqlite/task.ts',
    source: "new URL('./task-thread.ts', import.meta.url)",
    bundled: "new URL('./task-thread.mjs', import.meta.url)",
  },
  {
    file: 'packages/server/src/storage/sqlite/checkpointer.ts',
    source: "new URL('./checkpoint-thread.ts', import.meta.url)",
    bundled: "new URL('./checkpoint-thread.mjs', import.meta.url)",
  },
  {
    file: 'packages/server/src/provider/install/verify/pgp-signature.ts',
    source: "new URL('./pgp-thread.ts', import.meta.url)",
    bundled: "new URL('./pgp-thread.mjs', import.meta.url)",
  },
  {
    file: 'packages/server/src/app/providers.ts',
    source: "new URL('../../../../', import.meta.url)",
    bundled: "new URL('./', import.meta.url)",
  },
  {
    file: 'packages/server/src/http/yaml/yaml-work.ts',
    source: "new URL('./yaml-thread.ts', import.meta.url)",
    bundled: "new URL('./yaml-thread.mjs', import.meta.url)",
  },
  {
    file: 'packages/server/src/http/yaml/yaml-library.ts',
    source: "createRequire(import.meta.url)('yaml')",
    // A bundled CommonJS module is the default export of its chunk.
    bundled: "createRequire(import.meta.url)('./yaml.mjs').default",
  },
  {
    file: 'packages/cli/src/command/host/package-version.ts',
    source: "new URL('../../../package.json', import.meta.url)",
    bundled: "new URL('../package.json', import.meta.url)",
  },
  ...['sim', 'script'].map((name) => ({
    file: `providers/${name}/src/main.ts`,
    source: "new URL('../../../node_modules/.cache/hykube-compiled', import.meta.url)",
    bundled: "new URL('../../../node_modules/.cache/hykube-compiled', import.meta.url)",
  })),
]

/** Plugin that replaces the expressions in the source. An unlisted `import.meta` fails the build. */
export function placesOfTheBundle(): Plugin {
  return {
    name: 'places-of-the-bundle',
    transform(code, id) {
      if (!isOurs(id) || !code.includes('import.meta')) return undefined
      const found = foundByPath.find(({ file }) => id === join(root, file))
      // Exactly one occurrence per file: a second one would not be replaced.
      if (found === undefined || code.split('import.meta').length !== 2 || !code.includes(found.source))
        throw new Error(`cannot bundle ${id}: tools/build/found-by-path.ts does not list its import.meta`)
      return code.replace(found.source, found.bundled)
    },
  }
}

// npm installs conflicting versions of a package inside the workspace that needs them.
function isOurs(id: string): boolean {
  return (
    !id.includes('/node_modules/') &&
    ['packages', 'providers'].some((directory) => id.startsWith(join(root, directory, '/')))
  )
}
