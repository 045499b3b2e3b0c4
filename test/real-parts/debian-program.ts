import { chmodSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RealPart } from './part.ts'
import { isExecutable, onPath, run } from './run.ts'

export interface DebianProgram {
  readonly name: string
  /** Debian packages of the program. Missing libraries are added automatically. */
  readonly packages: readonly string[]
  /** Path of an installed program that is usable for tests. */
  readonly onMachine: () => string | undefined
  /** Shell lines that start the program from `$root`, where the packages are unpacked. */
  readonly launcher: string
  /** Additional files for the launcher, by path under `$root`. */
  readonly files?: Readonly<Record<string, string>>
  /** Arguments with which the program exits successfully, to verify that it runs. */
  readonly proof: readonly string[]
}

/**
 * An installed program, or one from Debian packages that are unpacked into the cache without installation. Its path is
 * then a launcher that sets up libraries and files.
 */
export function debianProgram(program: DebianProgram): RealPart {
  const { name, onMachine, packages } = program
  const directory = `debian-${name}`
  return {
    name,
    description: `${name} of this machine or out of Debian's packages`,
    heavy: false,
    locate: (cache) => onMachine() ?? [join(cache, directory, name)].find(isExecutable),
    obtain: (cache) => unpackProgram(cache, directory, program),
    remedy: `install ${packages[0]}, or run npm test on Debian with access to its packages`,
  }
}

// Atomic: it is unpacked and verified in a temporary directory, then renamed.
async function unpackProgram(cache: string, directory: string, program: DebianProgram): Promise<void> {
  if (onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined)
    throw new Error('apt-get and dpkg-deb are not on the PATH')
  const scratch = join(cache, `${directory}.tmp-${process.pid}`)
  try {
    await unpackPackages(program.packages, scratch)
    const launcher = writeLauncher(program, scratch)
    await run(launcher, program.proof, { cwd: scratch })
    rmSync(join(cache, directory), { recursive: true, force: true })
    renameSync(scratch, join(cache, directory))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function unpackPackages(packages: readonly string[], root: string): Promise<void> {
  const archives = join(root, 'archives')
  mkdirSync(archives, { recursive: true })
  await download(packages, archives)
  for (const archive of globSync('*.deb', { cwd: archives }))
    await run('dpkg-deb', ['-x', join(archives, archive), root], { cwd: archives })
  rmSync(archives, { recursive: true })
}

// Package lists may be outdated, or missing in container images: then fresh lists are downloaded for this purpose only.
async function download(packages: readonly string[], into: string): Promise<void> {
  const patience = ['-oAcquire::Retries=0', '-oAcquire::http::Timeout=20', '-oAcquire::https::Timeout=20']
  try {
    await downloadWith(patience, packages, into)
  } catch {
    for (const directory of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(into, directory), { recursive: true })
    const own = [
      ...patience,
      `-oDir::State::Lists=${into}/lists`,
      `-oDir::Cache=${into}/cache`,
      '-oAPT::Sandbox::User=',
    ]
    await run('apt-get', ['-q', ...own, 'update'], { cwd: into })
    await downloadWith(own, packages, into)
  }
}

async function downloadWith(options: readonly string[], packages: readonly string[], into: string): Promise<void> {
  const simulate = ['-qs', ...options, '--no-install-recommends', 'install', ...packages]
  const installed = (await run('apt-get', simulate, { cwd: into })).matchAll(/^Inst (\S+)/gm)
  const libraries = [...installed].flatMap(([, name]) => (name!.startsWith('lib') ? [name!] : []))
  await run('apt-get', ['-q', ...options, 'download', ...new Set([...packages, ...libraries])], { cwd: into })
}

function writeLauncher({ name, launcher, files = {} }: DebianProgram, root: string): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const path = join(root, name)
  const libraries =
    'for each in "$root"/lib/*-linux-gnu* "$root"/usr/lib/*-linux-gnu*; do libraries=$libraries$each:; done'
  writeFileSync(path, `#!/bin/sh\nroot=$(dirname "$(readlink -f "$0")")\n${libraries}\n${launcher}\n`)
  chmodSync(path, 0o755)
  return path
}
