import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Contents of `architecture.json`: every package and room with its allowed imports. */
export interface Architecture {
  readonly everywhere: { readonly node: readonly string[] }
  readonly packages: Readonly<Record<string, PackageRow>>
}

export interface PackageRow {
  readonly purpose: string
  /** True for packages without I/O and dependencies: they may import nothing from Node or npm. */
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

/** A room with its location. */
export interface Room extends RoomRow {
  readonly id: string
  readonly packageName: string
  readonly pure: boolean
  readonly directory: string
}

export function readArchitecture(root: string): Architecture {
  return JSON.parse(readFileSync(join(root, 'architecture.json'), 'utf8')) as Architecture
}

/** All rooms in the table's order, lower layers first. */
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
