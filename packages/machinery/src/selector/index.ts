/** Selectors of objects by their labels and fields. */
export { exactFieldValue, type FieldSelector, fieldSelectorFromText, selectsFields } from './field-selector.ts'
export type { Labels } from './label-requirement.ts'
export {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  labelSelectorFromText,
  labelSelectorToText,
  selectEverything,
  selectNothing,
  selectsLabels,
} from './label-selector.ts'
export { SelectorError } from './selector-error.ts'
