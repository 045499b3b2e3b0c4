/** Providers: installs their packages, runs their processes, and translates their schemas to kinds. */

// --- batching of calls ---
export { maxBatchSize } from './batching/batch-size.ts'
export { batchingPort } from './batching/batching-port.ts'
// --- packages ---
export { credentialsFromEnvironment } from './install/fetch/credentials.ts'
export { currentPlatform } from './install/find/platform.ts'
export { InstallFailure } from './install/install-failure.ts'
export type { InstalledPackage } from './install/installed-package.ts'
export type { BuiltInProvider } from './install/installer-settings.ts'
export { ProviderInstaller } from './install/provider-installer.ts'
export { type SourceRule, sourcePolicy, sourceRuleFromText } from './install/source-policy.ts'
// --- Provider and ProviderConfig objects ---
export { providerSource } from './objects/full-source.ts'
export { providerConfigType } from './objects/provider-config-type.ts'
export { accessOf, kindsFinalizer, type ProviderObject, providerType } from './objects/provider-type.ts'
// --- processes ---
export { ProcessIsolation, providerArea } from './process/launch/isolation.ts'
export { ProviderFailure } from './process/provider-failure.ts'
export { ProviderProcesses, type RunningProvider } from './process/provider-processes.ts'
export type { PackageSchema, ProviderLog, ProviderPackage, ProviderSession } from './process/provider-target.ts'
export { endProcess, isAlive } from './process/system/process-identity.ts'
// --- kinds ---
export { conditionsOf } from './translate/conditions.ts'
export { conditionStatus, readyCell, reasonCell } from './translate/kind-columns.ts'
export { kindGroup } from './translate/kind-names.ts'
export { changesInstanceKey, managedFinalizer, movedFromAnnotation } from './translate/kind-strategy.ts'
export { isKindStub, kindStub, schemaHashAnnotation, servedNames, typeOfStub } from './translate/kind-stub.ts'
export { withoutPendingDeletion } from './translate/pending-deletion.ts'
export { kindsOf, kindVersion, type ProviderKind } from './translate/provider-kind.ts'
export { providerTypes } from './translate/provider-types.ts'
