/** The parts common to all API objects: kinds, metadata, names, labels, selectors, conditions, quantities and times. */
export { type Condition, findCondition, hasCondition, withCondition, withoutCondition } from './condition.ts'
export { DurationError, durationFromText, durationToText } from './duration.ts'
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
  escapeFieldValue,
  exactFieldValue,
  type FieldRequirement,
  type FieldSelector,
  fieldSelectorFromText,
  fieldSelectorToText,
  selectsFields,
} from './field-selector.ts'
export {
  foregroundFinalizer,
  orphanFinalizer,
  validateFinalizers,
  validateNoNewFinalizers,
  validateQualifiedFinalizers,
  withFinalizer,
  withoutFinalizer,
} from './finalizers.ts'
export { generateName, maximumGeneratedNameLength, type Random, randomSuffix } from './generate-name.ts'
export {
  compareVersions,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  groupKindToText,
  groupResourceToText,
  groupVersionFromText,
  groupVersionKindToText,
  groupVersionToText,
} from './group-version-kind.ts'
export { ageOf, humanDuration } from './human-duration.ts'
export {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  meetsRequirement,
  requirementToText,
} from './label-requirement.ts'
export {
  exactLabelValue,
  type LabelSelector,
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelSelectorFromObject,
  labelSelectorFromText,
  labelSelectorToText,
  selectEverything,
  selectNothing,
  selectsLabels,
} from './label-selector.ts'
export {
  annotationBytes,
  labelKeyProblems,
  labelValueProblems,
  maximumAnnotationBytes,
  validateAnnotations,
  validateLabels,
} from './labels.ts'
export {
  configMapKeyProblems,
  dns1035LabelName,
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  dnsLabelName,
  dnsSubdomainName,
  lengthProblems,
  type NameRule,
  pathSegmentName,
  patternProblem,
} from './names.ts'
export type { KubernetesObject, ManagedFieldsEntry, ObjectMeta, OwnerReference, TypeMeta } from './object-meta.ts'
export { controllerOf, isOwnedBy, uniqueOwnerReferences, validateOwnerReferences } from './owner-references.ts'
export {
  addQuantities,
  compareQuantities,
  type Quantity,
  QuantityError,
  type QuantityFormat,
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
  type AnyShape,
  atomicShape,
  type ContainerTraits,
  deducedObjectShape,
  deducedShape,
  type FieldTraits,
  type ListShape,
  type MapShape,
  objectMetaShape,
  type PatchStrategy,
  type ScalarShape,
  type StructShape,
  structShape,
  type TypeShape,
  untypedScalarShape,
} from './type-shape.ts'
export { withTypedMetadata } from './typed-metadata.ts'
export {
  type ObjectMetaRules,
  validateFieldManager,
  validateManagedFields,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './validate-object-meta.ts'
