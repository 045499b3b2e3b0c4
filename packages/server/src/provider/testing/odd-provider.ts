import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProviderPackage } from '../process/provider-target.ts'

export type OddMode =
  | 'serve'
  | 'garbage'
  | 'exit'
  | 'silent'
  | 'insists'
  | 'refuses'
  | 'dies'
  | 'lingers'
  | 'stubborn'
  | 'bad-schema'

/** A package of a provider that misbehaves on demand; `starts` lists the started processes. */
export function oddProvider(directory: string, mode: OddMode = 'serve'): ProviderPackage & { readonly starts: string } {
  const program = fileURLToPath(new URL('./odd-provider-program.ts', import.meta.url))
  const executable = join(directory, `terraform-provider-odd-${mode}`)
  const starts = join(directory, `${mode}.starts`)
  writeFileSync(starts, '')
  writeFileSync(executable, `#!/bin/sh\nexec "${process.execPath}" "${program}" ${mode} "${starts}"\n`)
  chmodSync(executable, 0o755)
  return { source: 'example.com/test/odd', version: '1.0.0', executable, hash: `h1:${mode}`, starts }
}
