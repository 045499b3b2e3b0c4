import { SourceError } from './source-error.ts'

/** A version as semver 2 has it. */
export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** The parts after `-`; empty for a release. */
  readonly prerelease: readonly string[]
  /** What stands after `+`; it does not count in comparisons. */
  readonly build: string
}

/** Reads `1.2.3`, `1.2.3-beta.1+build`. Throws SourceError in words. */
export function parseVersion(text: string): Version {
  const version = versionFromText(text)
  if (version === undefined)
    throw new SourceError(`cannot read the version ${JSON.stringify(text)}: it must be written like 1.2.3`)
  return version
}

/** The version that a text is; undefined when it is none, as tags of registries may be. */
export function versionFromText(text: string): Version | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, major, minor, patch, prerelease = '', build = ''] = match
  const numbers = { major: Number(major), minor: Number(minor), patch: Number(patch) }
  if (!Object.values(numbers).every(Number.isSafeInteger)) return undefined
  return { ...numbers, prerelease: prerelease === '' ? [] : prerelease.split('.'), build }
}

export function versionToText({ major, minor, patch, prerelease, build }: Version): string {
  const release = `${major}.${minor}.${patch}`
  return release + (prerelease.length > 0 ? `-${prerelease.join('.')}` : '') + (build === '' ? '' : `+${build}`)
}

/** Negative when `a` is the older one, positive when it is the newer one, 0 when neither is. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrereleases(a.prerelease, b.prerelease)
}

/** Whether it comes before the release that it is numbered for. */
export function isPrerelease(version: Version): boolean {
  return version.prerelease.length > 0
}

const part = '(?:0|[1-9]\\d*)'
const identifier = `(?:${part}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const pattern = new RegExp(
  `^(${part})\\.(${part})\\.(${part})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$`,
)

// A release is newer than what led to it; numbers are older than words; more parts are newer than fewer.
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (const [i, left] of a.entries()) {
    const right = b[i]
    if (right === undefined) return 1
    const order = compareIdentifiers(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareIdentifiers(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (aIsNumber && a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
