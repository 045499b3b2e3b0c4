import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

/**
 * Unpacks an npm package into the cache without installing it or its dependencies. Atomic: unpacked in a temporary
 * directory, then renamed.
 */
export async function unpackNpmPackage(cache: string, spec: string, into: string): Promise<void> {
  const scratch = join(cache, `${into}.tmp-${process.pid}`)
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  try {
    await run('npm', ['pack', spec, '--silent'], { cwd: scratch })
    const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'))
    if (tarball === undefined) throw new Error(`npm pack ${spec} produced no tarball`)
    await run('tar', ['-xzf', tarball], { cwd: scratch })
    renameSync(join(scratch, 'package'), join(cache, into))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
