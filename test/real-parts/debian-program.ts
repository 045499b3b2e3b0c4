import { chmodSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RealPart } from './part.ts'
import { isExecutable, onPath, run } from './run.ts'

export interface DebianProgram {
  readonly name: string
  /** What it is in. The libraries that the machine lacks come by themselves. */
  readonly packages: readonly string[]
  /** Where a machine has it, if it has one that tests can use. */
  readonly onMachine: () => string | undefined
  /** Lines of a shell script that starts it out of `$root`, where the packages are unpacked. */
  readonly launcher: string
  /** Further files that the launcher needs, by their path under `$root`. */
  readonly files?: Readonly<Record<string, string>>
  /** Arguments under which it ends well at once, to know that it runs here. */
  readonly proof: readonly string[]
}

/**
 * A program of this machine, or else one out of Debian's packages, which are unpacked into the cache and not installed.
 * Its path is that of a launcher, which finds the program's libraries and files there.
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

// Complete or absent: it is unpacked and tried beside its place, and then renamed.
async function unpackProgram(cache: string, directory: string, program: DebianProgram): Promise<void> {
  if (onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined)
    throw new Error('there is no apt-get and dpkg-deb on the PATH')
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

// The machine's lists of packages may be old, or absent as in images of containers: then new ones are got, for this alone.
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
