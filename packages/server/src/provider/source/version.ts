import { SourceError } from './source-error.ts'

/** A version of Semantic Versioning 2.0. */
export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** The parts after `-`; empty for a release. */
  readonly prerelease: readonly string[]
  /** The text after `+`; ignored by comparisons. */
  readonly build: string
}

/** Parses `1.2.3` or `1.2.3-beta.1+build`. Throws SourceError. */
export function parseVersion(text: string): Version {
  const version = versionFromText(text)
  if (version === undefined)
    throw new SourceError(`cannot parse the version ${JSON.stringify(text)}: it must be written like 1.2.3`)
  return version
}

/** Parses a version; undefined if it isn't semver, such as some tags of registries. */
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

/** Negative if `a` is older, positive if it is newer, 0 if both have the same precedence. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch || comparePrereleases(a.prerelease, b.prerelease)
}

/** Returns whether a version has a prerelease part, such as `-beta.1`. */
export function isPrerelease(version: Version): boolean {
  return version.prerelease.length > 0
}

const part = '(?:0|[1-9]\\d*)'
const identifier = `(?:${part}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const pattern = new RegExp(
  `^(${part})\\.(${part})\\.(${part})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$`,
)

// Semver 2.0, section 11: a release is newer than its prereleases, numeric identifiers are older than alphanumeric ones, and
// the longer of two equal lists of identifiers is newer.
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
