/** Parses provider addresses, versions and version constraints in Terraform's syntax. */
export {
  addressToText,
  normalHost,
  type ParseAddressOptions,
  type ProviderAddress,
  parseProviderAddress,
} from './provider-address.ts'
export { type ProviderSource, parseProviderSource } from './provider-source.ts'
export { SourceError } from './source-error.ts'
export { compareVersions, isPrerelease, parseVersion, type Version, versionFromText, versionToText } from './version.ts'
export {
  allowsVersion,
  type ConstraintOperator,
  constraintToText,
  exactVersion,
  parseVersionConstraint,
  type VersionCondition,
  type VersionConstraint,
} from './version-constraint.ts'
