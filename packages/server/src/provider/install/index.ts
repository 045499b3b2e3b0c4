/** How a provider's package is found, verified, unpacked and kept. */
export { type Credentials, credentialsFromEnvironment } from './credentials.ts'
export { InstallFailure, type InstallReason } from './install-failure.ts'
export type {
  InstalledPackage,
  InstallOptions,
  InstallProgress,
  InstallRequest,
  PackageLock,
  ResolvedPackage,
} from './installed-package.ts'
export type { BuiltInProvider, InstallerSettings, InstallLimits, InstallMethod } from './installer-settings.ts'
export { currentPlatform } from './platform.ts'
export { ProviderInstaller } from './provider-installer.ts'
export { type SourceRule, sourcePolicy, sourceRuleFromText } from './source-policy.ts'
