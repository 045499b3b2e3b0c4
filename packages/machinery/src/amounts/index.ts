/** Quantities, durations and times in the notations of Kubernetes and Go. */

export { DurationError, durationFromText } from './duration.ts'
export { ageOf, humanDuration } from './human-duration.ts'
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
export { microTimeFromText, microTimeToText, timeFromText, timeToText } from './time.ts'
