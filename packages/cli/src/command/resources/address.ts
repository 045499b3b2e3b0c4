import { AddressError, parseAddress, type ResourceAddress } from '@hykube/machinery/object'
import { UsageError } from '../host/failure.ts'

/** Parses an address; undefined when the text is not one. */
export function addressFromText(text: string): ResourceAddress | undefined {
  try {
    return parseAddress(text)
  } catch (error) {
    if (error instanceof AddressError) return undefined
    throw error
  }
}

/** Parses an argument that must be an address. Throws UsageError. */
export function requireAddress(text: string): ResourceAddress {
  try {
    return parseAddress(text)
  } catch (error) {
    throw error instanceof AddressError ? new UsageError(error.message) : error
  }
}
