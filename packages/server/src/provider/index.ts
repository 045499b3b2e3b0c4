/** Providers: their packages, their processes, and what their schemas become. */
export { type ProviderConfigObject, providerConfigType } from './objects/provider-config-type.ts'
export type { ProviderSource } from './objects/provider-source.ts'
export { type ProviderObject, providerType } from './objects/provider-type.ts'
export { conditionsOf, initialConditions } from './translate/conditions.ts'
export { type KindMode, type KindNames, kindGroup } from './translate/kind-names.ts'
export { managedFinalizer } from './translate/kind-strategy.ts'
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
