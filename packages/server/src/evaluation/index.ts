/**
 * Evaluates an object's configuration: resolves its references, looks up inputs, and exposes its outputs to other
 * objects. State and providers are reached through the ports declared here.
 */
export { AuthorizedUses } from './authorized-uses.ts'
export type { ConfiguredProviders } from './configured-providers.ts'
export { currentConfiguration, currentOutputs } from './current-inputs.ts'
export { fingerprintOf } from './fingerprint.ts'
export { hideConfigured, hideSecrets } from './hide-secrets.ts'
export { Inputs } from './inputs.ts'
export type { InstanceConfig } from './instance-config.ts'
export { configurationOf, lifecycleOf } from './lifecycle.ts'
export { managedElsewhere } from './managed-elsewhere.ts'
export {
  changedAttributes,
  type Outputs,
  type OutputValue,
  outputOfRecord,
  outputsOfStates,
  outputValue,
  type Repetition,
  repetitionOf,
  shownAttributes,
} from './outputs.ts'
export type { AccessSession, ConfiguredTarget, PlannerPorts, ProviderAccess, ProviderProblem } from './ports.ts'
export {
  bareAddress,
  type ReferenceTarget,
  type Referring,
  resolveReference,
  resolveReferences,
  targetRefs,
  usedAttribute,
  waitsFor,
  wholeObject,
} from './references.ts'
export { resourceInstance } from './resource-instance.ts'
export { reachesSensitive, schemaReaches, takesValue, useText } from './sensitive-reach.ts'
export { shownDiagnostics } from './shown-diagnostics.ts'
