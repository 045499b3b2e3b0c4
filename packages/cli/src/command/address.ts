import { UsageError } from './failure.ts'

/** Where a resource is: `[provider["p"].][data.]type.name[index]`, of another namespace `type["ns/name"]`. */
export interface Address {
  readonly provider?: string
  readonly data: boolean
  readonly type: string
  readonly namespace?: string
  readonly name: string
  readonly index?: number | string
}

/** Reads an address; undefined when the text is none. */
export function addressFromText(text: string): Address | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, provider, data, type, plain, quoted, position, key] = match
  const place = plain === undefined ? placeFromKey(unquoted(quoted)) : { name: plain }
  if (place === undefined) return undefined
  const index = position === undefined ? unquoted(key) : Number(position)
  return {
    ...(provider !== undefined && { provider: unquoted(provider)! }),
    data: data !== undefined,
    type: type!,
    ...place,
    ...(index !== undefined && { index }),
  }
}

/** Reads an address that a command was given. */
export function requireAddress(text: string): Address {
  const address = addressFromText(text)
  if (address === undefined)
    throw new UsageError(
      `${JSON.stringify(text)} is no address: it is written type.name, as sim_network.main or aws_vpc["my-vpc"]`,
    )
  return address
}

/** The address of an object, as a writer in a namespace has it. */
export function addressToText({ data, type, namespace, name, index }: Address): string {
  const isPlain = namespace === undefined && /^[A-Za-z_]\w*$/.test(name)
  const place = isPlain ? `.${name}` : `[${JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`)}]`
  return `${data ? 'data.' : ''}${type}${place}${index === undefined ? '' : `[${JSON.stringify(index)}]`}`
}

const text = '"(?:[^"\\\\]|\\\\.)*"'
const pattern = new RegExp(
  `^(?:provider\\[(${text})\\]\\.)?(data\\.)?([A-Za-z_]\\w*)(?:\\.([A-Za-z_][\\w-]*)|\\[(${text})\\])(?:\\[(\\d+)\\]|\\[(${text})\\])?$`,
)

function unquoted(quoted: string | undefined): string | undefined {
  if (quoted === undefined) return undefined
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}

function placeFromKey(key: string | undefined): { namespace?: string; name: string } | undefined {
  const parts = key?.split('/') ?? []
  if (parts.length === 0 || parts.length > 2 || parts.some((part) => part === '')) return undefined
  return parts.length === 1 ? { name: parts[0]! } : { namespace: parts[0]!, name: parts[1]! }
}
