/** Providers: what is asked for, how it is found, verified and unpacked, and how it runs. */

// --- getting them here ---
export {
  type BuiltInProvider,
  type Credentials,
  credentialsFromEnvironment,
  currentPlatform,
  type InstalledPackage,
  type InstallerSettings,
  InstallFailure,
  type InstallLimits,
  type InstallMethod,
  type InstallOptions,
  type InstallProgress,
  type InstallReason,
  type InstallRequest,
  type PackageLock,
  ProviderInstaller,
  type ResolvedPackage,
} from './install/index.ts'
// --- running them ---
export {
  type CallDeadlines,
  endProcess,
  identityOf,
  isAlive,
  type PackageSchema,
  type ProcessIdentity,
  type ProcessSettings,
  type ProviderConfiguration,
  ProviderFailure,
  type ProviderFailureReason,
  type ProviderLog,
  type ProviderPackage,
  ProviderProcesses,
  type ProviderSession,
  type ProviderTarget,
  type RunningProvider,
  reattachedPackage,
} from './process/index.ts'
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
