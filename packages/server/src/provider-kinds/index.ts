/**
 * Serves the types of providers as kinds: catalogue, CRD stubs, lifecycle of Provider objects, and the admission rules
 * of their objects.
 */
export { configurationRules } from './admission/configuration-rules.ts'
export { deletedProviderRules } from './admission/deleted-provider-rules.ts'
export { importRules } from './admission/import-rules.ts'
export { managedContentRules } from './admission/managed-content-rules.ts'
export { movingRules } from './admission/moving-rules.ts'
export { providerResolution } from './admission/provider-resolution.ts'
export { repetitionRules } from './admission/repetition-rules.ts'
export { resourceRules } from './admission/resource-rules.ts'
export { stubGuard } from './admission/stub-guard.ts'
export { useRules } from './admission/use-rules.ts'
export { HashedStringSet } from './hashed-string-set.ts'
export { holderName } from './holder-name.ts'
export { ServedKinds } from './kind-catalogue.ts'
export { ProviderRuntime } from './provider-runtime.ts'
export { ProviderUse } from './provider-use.ts'
export { providerRowsType, resourceType } from './rows/resource-type.ts'
export { ServedProviders } from './served-providers.ts'
