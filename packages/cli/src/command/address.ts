import { type ResourceAddress, resourceAddressFromText, resourceAddressToText } from '@hykube/machinery/object'
import { UsageError } from './failure.ts'

/** Where a resource is: `[provider["p"].][data.]type.name[index]`, of another namespace `type["ns/name"]`. */
export interface Address extends Omit<ResourceAddress, 'mode'> {
  readonly data: boolean
}

/** Reads an address; undefined when the text is none. */
export function addressFromText(text: string): Address | undefined {
  const address = resourceAddressFromText(text)
  if (address === undefined) return undefined
  const { mode, ...rest } = address
  return { ...rest, data: mode === 'data' }
}

/** Reads an address that a command was given. */
export function requireAddress(text: string): Address {
  const address = addressFromText(text)
  if (address !== undefined) return address
  throw new UsageError(
    `${JSON.stringify(text)} is no address: it is written type.name, as sim_network.main or aws_vpc["my-vpc"]`,
  )
}

/** An address in its shortest form. */
export function addressToText({ data, ...rest }: Address): string {
  return resourceAddressToText({ ...rest, mode: data ? 'data' : 'managed' })
}
