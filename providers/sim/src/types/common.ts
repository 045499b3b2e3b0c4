import { attribute, valueType } from '@hykube/provider-sdk/provider'

/** The id that the cloud assigns to every object. */
export const id = attribute.string({ computed: true, useStateForUnknown: true, description: 'Assigned by the cloud.' })

export const tags = attribute.map(valueType.string, { optional: true, description: 'Labels.' })

export const size = attribute.string({
  default: 'small',
  description: '`small`, `medium` or `large`.',
  validate: (value) => (sizes.includes(value) ? undefined : `It must be one of ${sizes.join(', ')}, not ${value}.`),
})

/** Validates a network in CIDR notation, such as `10.0.0.0/16`. */
export function cidrProblem(value: string): string | undefined {
  return parseCidr(value) === undefined ? `It must be a network such as 10.0.0.0/16, not ${value}.` : undefined
}

/** Returns the first address of a network and the number of addresses; undefined when the text is not a network. */
export function parseCidr(text: string): { readonly first: number; readonly count: number } | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text)
  if (match === null) return undefined
  const [a, b, c, d, bits] = match.slice(1).map(Number) as [number, number, number, number, number]
  if (Math.max(a, b, c, d) > 255 || bits > 32) return undefined
  const count = 2 ** (32 - bits)
  const address = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
  return { first: address - (address % count), count }
}

const sizes: readonly string[] = ['small', 'medium', 'large']
