/** Values and types of every kind, for tests of what handles them. */
export { anyDecimal, anyText, anyType, anyTypedValue, anyValue } from './arbitraries.ts'
