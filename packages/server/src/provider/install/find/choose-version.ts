import {
  allowsVersion,
  compareVersions,
  constraintToText,
  type Version,
  type VersionConstraint,
  versionToText,
} from '../../source/index.ts'
import { InstallFailure } from '../install-failure.ts'
import { unversioned } from './filesystem-mirror-finder.ts'
import type { FoundVersion, PackageFinder } from './found-package.ts'

/** A version and the finder that can obtain it. */
export interface Candidate extends FoundVersion {
  readonly finder: PackageFinder
}

/** The newest version that satisfies the constraint, uses protocol 5 or 6 and is built for the platform. */
export function chooseVersion(
  candidates: readonly Candidate[],
  constraint: VersionConstraint,
  platform: string,
): Candidate {
  const allowed = candidates.filter(({ version }) => allowsVersion(constraint, version))
  if (allowed.length === 0) throw noVersion(candidates, constraint)
  const spoken = allowed.filter(
    ({ protocols }) => protocols?.some((protocol) => protocol === 5 || protocol === 6) ?? true,
  )
  if (spoken.length === 0)
    throw new InstallFailure(
      'ProtocolUnsupported',
      `${versionList(allowed)} use provider protocol ${protocolsOf(allowed)}, and only 5 and 6 are supported; choose a newer version`,
    )
  const runnable = spoken.filter(({ platforms }) => platforms?.includes(platform) ?? true)
  if (runnable.length === 0)
    throw new InstallFailure(
      'PlatformUnsupported',
      `${versionList(spoken)} are not built for ${platform}, only for ${platformsOf(spoken)}`,
    )
  // Among equal versions the first wins: finders are listed in the order of their preference.
  return runnable.reduce((best, one) => (compareVersions(one.version, best.version) > 0 ? one : best))
}

function noVersion(candidates: readonly Candidate[], constraint: VersionConstraint): InstallFailure {
  const list = versionList(candidates)
  const known =
    candidates.length === 0
      ? 'there are none'
      : list === versionToText(unversioned)
        ? 'the executable has no version in its name; remove spec.version'
        : `there are ${list}`
  return new InstallFailure(
    'VersionNotFound',
    `no version satisfies ${constraintToText(constraint) || 'any'}: ${known}`,
  )
}

function versionList(candidates: readonly Candidate[]): string {
  const versions = newestFirst(candidates.map(({ version }) => version))
  const shown = versions.slice(0, most).join(', ')
  return versions.length > most ? `${shown} and ${versions.length - most} older` : shown
}

const most = 5

function newestFirst(versions: readonly Version[]): readonly string[] {
  return [...new Set(versions.toSorted((a, b) => compareVersions(b, a)).map(versionToText))]
}

function protocolsOf(candidates: readonly Candidate[]): string {
  return [...new Set(candidates.flatMap(({ protocols = [] }) => protocols))].sort((a, b) => a - b).join(', ')
}

function platformsOf(candidates: readonly Candidate[]): string {
  return [...new Set(candidates.flatMap(({ platforms = [] }) => platforms))].sort().join(', ')
}
