import type { HappenedCommit } from './happened.ts'
import type { History } from './history.ts'

/** Versions of all keys over the revisions. */
export interface Timeline {
  /** Returns the version of a key at a revision; undefined when it was absent. */
  at(key: string, revision: number): Version | undefined
  /**
   * Returns the first revision from `from` on at which the key had this version (undefined: was absent); undefined if
   * none.
   */
  next(key: string, version: number | undefined, from: number): number | undefined
  /** Returns the first revision from this one on that is not inside a group. */
  boundary(revision: number): number
  /** All keys that ever existed. */
  readonly keys: readonly string[]
}

export interface Version {
  readonly revision: number
  readonly value: string
  readonly deleted: boolean
}

/** Builds the timeline from the log and from commits in spaces without history. */
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
      // An absent key may become absent again later; a replaced version never returns.
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

/** Returns the index of the last element whose number is at most the bound; -1 when there is none. */
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
