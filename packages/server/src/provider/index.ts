/** Providers: how their packages are found, verified and unpacked, how they run, and what their schemas become. */

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
  type SourceRule,
  sourcePolicy,
  sourceRuleFromText,
} from './install/index.ts'
// --- what they become ---
export { type ProviderConfigObject, providerConfigType } from './objects/provider-config-type.ts'
export { accessOf, leavingFinalizer, type ProviderObject, providerType } from './objects/provider-type.ts'
// --- running them ---
export {
  type CallDeadlines,
  endProcess,
  identityOf,
  isAlive,
  type PackageSchema,
  type ProcessIdentity,
  ProcessIsolation,
  type ProcessSettings,
  type ProviderConfiguration,
  ProviderFailure,
  type ProviderFailureReason,
  type ProviderLog,
  type ProviderPackage,
  ProviderProcesses,
  type ProviderSession,
  type ProviderTarget,
  providerArea,
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
  parseProviderSource,
  parseVersion,
  parseVersionConstraint,
  SourceError,
  type Version,
  type VersionConstraint,
  versionToText,
} from './source/index.ts'
export { conditionsOf, initialConditions } from './translate/conditions.ts'
export { type KindMode, type KindNames, kindGroup } from './translate/kind-names.ts'
export { managedFinalizer, movedFromAnnotation, movesItsInstance } from './translate/kind-strategy.ts'
export {
  isKindStub,
  type KindStubOptions,
  kindStub,
  schemaHashAnnotation,
  takenNames,
  typeAnnotation,
} from './translate/kind-stub.ts'
export { kindsOf, kindVersion, type ProviderKind, type TakenNames } from './translate/provider-kind.ts'
export { type ProviderTypesInput, providerTypes } from './translate/provider-types.ts'
export { mostInstances } from './translate/reserved-fields.ts'
export type { TemplateSyntax } from './translate/template-syntax.ts'
