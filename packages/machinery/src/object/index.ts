/** The parts common to all API objects: kinds, metadata, names, labels, finalizers, owners and conditions. */
export { type Condition, findCondition, hasCondition, withCondition, withoutCondition } from './condition.ts'
export {
  duplicateValue,
  forbiddenValue,
  invalidType,
  invalidValue,
  quoted,
  requiredValue,
  tooLong,
  tooMany,
  unsupportedValue,
  valueNotFound,
} from './field-error.ts'
export {
  foregroundFinalizer,
  orphanFinalizer,
  validateQualifiedFinalizers,
  withFinalizer,
  withoutFinalizer,
} from './finalizers.ts'
export { generateName } from './generate-name.ts'
export {
  compareVersions,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  groupResourceToText,
  groupVersionFromText,
  groupVersionKindToText,
  groupVersionToText,
} from './group-version-kind.ts'
export { annotationBytes, labelKeyProblems, labelValueProblems, maximumAnnotationBytes } from './labels.ts'
export {
  configMapKeyProblems,
  dns1035LabelName,
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  dnsLabelName,
  dnsSubdomainName,
  type NameRule,
  pathSegmentName,
} from './names.ts'
export {
  clusterAnnotation,
  type KubernetesObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object-meta.ts'
export { controllerOf, uniqueOwnerReferences } from './owner-references.ts'
export {
  AddressError,
  type AttributePath,
  addressToText,
  parseAddress,
  parseAttributePath,
  parseAttributeReference,
  type ResourceAddress,
} from './resource-address.ts'
export { validateFieldManager, validateObjectMeta, validateObjectMetaUpdate } from './validate-object-meta.ts'
