/** Providers: what is asked for, how it is found, verified and unpacked, and how it runs. */

// --- where providers come from ---
export {
  addressToText,
  allowsVersion,
  compareVersions,
  constraintToText,
  type ProviderAddress,
  type ProviderSource,
  parseProviderSource,
  parseVersion,
  parseVersionConstraint,
  SourceError,
  type Version,
  type VersionConstraint,
  versionToText,
} from './source/index.ts'
