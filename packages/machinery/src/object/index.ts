/** The parts common to all API objects: kinds, metadata, names, labels, selectors, conditions, quantities and times. */
export { type Condition, findCondition, hasCondition, withCondition, withoutCondition } from './condition.ts'
export { DurationError, durationFromText } from './duration.ts'
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
export { exactFieldValue, type FieldSelector, fieldSelectorFromText, selectsFields } from './field-selector.ts'
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
export { ageOf, humanDuration } from './human-duration.ts'
export type { Labels } from './label-requirement.ts'
export {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  labelSelectorFromText,
  labelSelectorToText,
  selectEverything,
  selectsLabels,
} from './label-selector.ts'
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
export type { KubernetesObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.ts'
export { controllerOf, uniqueOwnerReferences } from './owner-references.ts'
export {
  addQuantities,
  compareQuantities,
  type Quantity,
  QuantityError,
  quantityFromInteger,
  quantityFromJson,
  quantityFromText,
  quantityToInteger,
  quantityToText,
  subtractQuantities,
} from './quantity.ts'
export {
  AddressError,
  type AttributePath,
  addressToText,
  parseAddress,
  parseAttributePath,
  parseAttributeReference,
  type ResourceAddress,
} from './resource-address.ts'
export { SelectorError } from './selector-error.ts'
export { microTimeFromText, microTimeToText, timeFromText, timeToText } from './time.ts'
export {
  atomicShape,
  deducedObjectShape,
  deducedShape,
  type FieldTraits,
  type ListShape,
  objectMetaShape,
  type ScalarShape,
  type StructShape,
  structShape,
  type TypeShape,
  untypedScalarShape,
} from './type-shape.ts'
export { withTypedMetadata } from './typed-metadata.ts'
export { validateFieldManager, validateObjectMeta, validateObjectMetaUpdate } from './validate-object-meta.ts'
