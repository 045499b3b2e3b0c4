import {
  allowsVersion,
  compareVersions,
  constraintToText,
  type Version,
  type VersionConstraint,
  versionToText,
} from '../source/index.ts'
import type { FoundVersion, PackageFinder } from './found-package.ts'
import { InstallFailure } from './install-failure.ts'

/** A version and who has it. */
export interface Candidate extends FoundVersion {
  readonly finder: PackageFinder
}

/** The newest version that meets the constraint, speaks a protocol that is known here and runs on the platform. */
export function chooseVersion(
  candidates: readonly Candidate[],
  constraint: VersionConstraint,
  platform: string,
): Candidate {
  const allowed = candidates.filter(
    ({ version, anyVersion }) => anyVersion === true || allowsVersion(constraint, version),
  )
  if (allowed.length === 0) throw noVersion(candidates, constraint)
  const spoken = allowed.filter(
    ({ protocols }) => protocols?.some((protocol) => protocol === 5 || protocol === 6) ?? true,
  )
  if (spoken.length === 0)
    throw new InstallFailure(
      'ProtocolUnsupported',
      `${listed(allowed)} speak provider protocol ${protocolsOf(allowed)}, and only 5 and 6 are spoken here; choose a newer version`,
    )
  const runnable = spoken.filter(({ platforms }) => platforms?.includes(platform) ?? true)
  if (runnable.length === 0)
    throw new InstallFailure(
      'PlatformUnsupported',
      `${listed(spoken)} are not made for ${platform}, only for ${platformsOf(spoken)}`,
    )
  // The first of equals: who was asked first has it nearest.
  return runnable.reduce((best, one) => (compareVersions(one.version, best.version) > 0 ? one : best))
}

function noVersion(candidates: readonly Candidate[], constraint: VersionConstraint): InstallFailure {
  const known = candidates.length === 0 ? 'there are none' : `there are ${listed(candidates)}`
  return new InstallFailure('VersionNotFound', `no version meets ${constraintToText(constraint) || 'any'}: ${known}`)
}

function listed(candidates: readonly Candidate[]): string {
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
