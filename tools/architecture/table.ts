import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `architecture.json`, read: every package and room, and what each may import. */
export interface Architecture {
  readonly everywhere: { readonly node: readonly string[] }
  readonly packages: Readonly<Record<string, PackageRow>>
}

export interface PackageRow {
  readonly purpose: string
  /** No I/O, no dependencies: nothing of Node and nothing from npm may be imported. */
  readonly pure: boolean
  readonly rooms: Readonly<Record<string, RoomRow>>
}

export interface RoomRow {
  readonly purpose: string
  /** Rooms as `package/room`, or whole packages. */
  readonly imports: readonly string[]
  readonly node?: readonly string[]
  readonly npm?: readonly string[]
}

/** A room with its place in the tree. */
export interface Room extends RoomRow {
  readonly id: string
  readonly packageName: string
  readonly pure: boolean
  readonly directory: string
}

export function readArchitecture(root: string): Architecture {
  return JSON.parse(readFileSync(join(root, 'architecture.json'), 'utf8')) as Architecture
}

/** All rooms, in the table's order: lower ones first. */
export function roomsOf(architecture: Architecture): Room[] {
  return Object.entries(architecture.packages).flatMap(([packageName, row]) =>
    Object.entries(row.rooms).map(([name, room]) => ({
      ...room,
      id: `${packageName}/${name}`,
      packageName,
      pure: row.pure,
      directory: `packages/${packageName}/src/${name}`,
    })),
  )
}
