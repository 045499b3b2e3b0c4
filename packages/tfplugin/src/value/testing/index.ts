/** Random values and types for property tests. */
export { anyDecimal, anyText, anyType, anyTypedValue, anyValue } from './arbitraries.ts'
