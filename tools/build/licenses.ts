import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the licences of all npm packages in a bundle as one text. */
export function licensesOf(modules: readonly string[]): string {
  const directories = new Set(modules.flatMap((id) => packageDirectory.exec(id)?.[1] ?? []))
  return [...directories]
    .sort()
    .map(licenseOf)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

const packageDirectory = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//

function licenseOf(directory: string): string {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Record<string, string>
  const [file] = globSync('{LICENSE,LICENCE,license,licence,COPYING}*', { cwd: directory })
  const text = file === undefined ? '' : `\n${readFileSync(join(directory, file), 'utf8').trim()}\n`
  return `${manifest.name} ${manifest.version} (${manifest.license})\n${text}`
}
