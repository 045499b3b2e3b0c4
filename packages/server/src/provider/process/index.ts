/** How a provider runs: its processes, their calls and its schema. */
export { type IsolationOptions, ProcessIsolation, providerArea } from './isolation.ts'
export { endProcess, identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'
export type { CallDeadlines, ProcessSettings } from './process-settings.ts'
export { ProviderFailure, type ProviderFailureOptions, type ProviderFailureReason } from './provider-failure.ts'
export { ProviderProcesses, type RunningProvider } from './provider-processes.ts'
export type {
  PackageSchema,
  ProviderConfiguration,
  ProviderLog,
  ProviderPackage,
  ProviderSession,
  ProviderTarget,
} from './provider-target.ts'
export { reattachedPackage } from './reattached-package.ts'
