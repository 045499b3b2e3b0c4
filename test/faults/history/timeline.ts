import type { HappenedCommit } from './happened.ts'
import type { History } from './history.ts'

/** What each key was at each revision. */
export interface Timeline {
  /** The version of a key at a revision; undefined when it was absent. */
  at(key: string, revision: number): Version | undefined
  /** The first revision from this one on at which the key was in this version (undefined: absent); undefined if none. */
  next(key: string, version: number | undefined, from: number): number | undefined
  /** The first revision from this one on that does not lie inside a group. */
  boundary(revision: number): number
  /** Keys that ever were. */
  readonly keys: readonly string[]
}

export interface Version {
  readonly revision: number
  readonly value: string
  readonly deleted: boolean
}

/** The timeline that the log, and the commits in spaces without history, amount to. */
export function createTimeline(history: History, happened: readonly HappenedCommit[]): Timeline {
  const versions = new Map<string, Version[]>()
  const add = (key: string, version: Version) => {
    const list = versions.get(key)
    if (list === undefined) versions.set(key, [version])
    else list.push(version)
  }
  const logged = new Set(history.log.map(({ revision }) => revision))
  for (const { kind, key, value, revision } of history.log) add(key, { revision, value, deleted: kind === 'delete' })
  for (const { call, first } of happened) {
    call.operations.forEach(({ kind, key, value }, index) => {
      if (!logged.has(first + index)) add(key, { revision: first + index, value, deleted: kind === 'delete' })
    })
  }
  for (const list of versions.values()) list.sort((a, b) => a.revision - b.revision)
  return {
    keys: [...versions.keys()].sort(),
    at(key, revision) {
      const list = versions.get(key) ?? []
      const version = list[lastAtOrBelow(list, revision, (each) => each.revision)]
      return version?.deleted ? undefined : version
    },
    next(key, wanted, from) {
      const list = versions.get(key) ?? []
      const index = lastAtOrBelow(list, from, (each) => each.revision)
      if (isVersion(list[index], wanted)) return from
      // An absent key may be absent again later; a version, once replaced, never comes back.
      for (let at = index + 1; at < list.length; at++) if (isVersion(list[at], wanted)) return list[at]!.revision
      return undefined
    },
    boundary(revision) {
      const group = happened[lastAtOrBelow(happened, revision, (each) => each.first)]
      return group !== undefined && revision < group.last ? group.last : revision
    },
  }
}

function isVersion(version: Version | undefined, wanted: number | undefined): boolean {
  const present = version === undefined || version.deleted ? undefined : version.revision
  return present === wanted
}

/** The index of the last element whose number is at or below the bound; -1 when there is none. */
export function lastAtOrBelow<T>(list: readonly T[], bound: number, number: (element: T) => number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (number(list[middle]!) <= bound) low = middle + 1
    else high = middle
  }
  return low - 1
}
