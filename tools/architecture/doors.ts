import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Room } from './table.ts'

/** A name that the door of a room exports, with the files outside of the room that import it from the door. */
export interface DoorExport {
  readonly door: string
  readonly name: string
  readonly users: readonly string[]
}

const sources = '{packages,providers,tools,test,bench,bin}/**/*.{ts,mjs}'
const namedImport = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/gm
const lazyImport = /const \{([^}]*)\} = await import\('([^']+)'\)/g

/** Lists what the doors export. Biome keeps imports and exports in one form, so that a pattern reads them. */
export function doorExports(root: string, rooms: readonly Room[]): DoorExport[] {
  const users = usersOfDoors(root)
  return rooms
    .flatMap(({ directory }) => globSync(`${directory}/{,node/}index.ts`, { cwd: root }))
    .flatMap((door) =>
      exportedNames(readFileSync(join(root, door), 'utf8')).map((name) => ({
        door,
        name,
        users: (users.get(`${door}#${name}`) ?? []).filter((file) => roomOf(file) !== roomOf(door)),
      })),
    )
}

function usersOfDoors(root: string): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const file of globSync(sources, { cwd: root, exclude: (path) => path.includes('node_modules') }))
    for (const [door, names] of importsOf(file, readFileSync(join(root, file), 'utf8')))
      for (const name of names) {
        const key = `${door}#${name}`
        users.set(key, [...(users.get(key) ?? []), file])
      }
  return users
}

function importsOf(file: string, text: string): [string, string[]][] {
  return [...text.matchAll(namedImport), ...text.matchAll(lazyImport)].map(([, list, target]) => [
    target!.startsWith('@hykube/') ? packageDoor(target!) : join(dirname(file), target!),
    names(list!, 0),
  ])
}

function exportedNames(text: string): string[] {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)]
  return [
    ...declared.map(([, name]) => name!),
    ...[...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].flatMap(([, list]) => names(list!, -1)),
  ]
}

// `type A as B` has the name A for its importer's side of a door (0) and B for the side of its exports (-1).
function names(list: string, side: 0 | -1): string[] {
  return list
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type /, '')
          .split(/ as |: /)
          .at(side)!,
    )
    .filter((name) => name !== '')
}

// '@hykube/server/auth' is 'packages/server/src/auth/index.ts'.
function packageDoor(target: string): string {
  return target.replace(/^@hykube\/([^/]+)/, 'packages/$1/src').concat('/index.ts')
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 4).join('/')
}
