/**
 * The address of a resource in references, plans and `depends_on`: `[provider["p"].][data.]type.name[index]`. Names that
 * are not identifiers, and names in another namespace, are written in brackets: `type["my-name"]`, `type["ns/name"]`.
 */
export interface ResourceAddress {
  /** The name of the Provider object. Absent: the code that resolves the address chooses. */
  readonly provider?: string
  readonly mode: 'managed' | 'data'
  /** The provider's name of the type, such as `aws_vpc`. */
  readonly type: string
  /** Absent: the namespace of the object that contains the address. */
  readonly namespace?: string
  readonly name: string
  /** The instance key of a batch. Absent: the object as a whole. */
  readonly index?: number | string
}

/** An address and a path into the attributes of the resource. */
export interface ResourceReference {
  readonly address: ResourceAddress
  /** Attribute names, list positions and map keys, outermost first. */
  readonly path: readonly (string | number)[]
}

/** Parses an address; undefined when the text is not an address. */
export function resourceAddressFromText(text: string): ResourceAddress | undefined {
  const reference = resourceReferenceFromText(text)
  return reference?.path.length === 0 ? reference.address : undefined
}

/** Parses an address with an optional attribute path, `aws_vpc.main.tags["a"]`; undefined when the text is neither. */
export function resourceReferenceFromText(text: string): ResourceReference | undefined {
  const steps = stepsOf(text)
  if (steps === undefined) return undefined
  const rest = [...steps]
  const provider = rest[0]?.kind === 'name' && rest[0].name === 'provider' ? shiftProvider(rest) : undefined
  if (provider === null) return undefined
  const isData = rest[0]?.kind === 'name' && rest[0].name === 'data'
  if (isData) rest.shift()
  const type = rest.shift()
  const named = rest.shift()
  if (type?.kind !== 'name' || named === undefined || named.kind === 'position') return undefined
  const target = named.kind === 'name' ? { name: named.name } : namespacedNameFromKey(named.key)
  if (target === undefined) return undefined
  const [first] = rest
  const index = first?.kind === 'position' ? first.position : first?.kind === 'key' ? first.key : undefined
  if (index !== undefined) rest.shift()
  const address: ResourceAddress = {
    ...(provider !== undefined && { provider }),
    mode: isData ? 'data' : 'managed',
    type: type.name,
    ...target,
    ...(index !== undefined && { index }),
  }
  return { address, path: rest.map(partOf) }
}

/** Formats an address in its shortest form. */
export function resourceAddressToText(address: ResourceAddress): string {
  const { provider, mode, type, namespace, name, index } = address
  const isPlain = namespace === undefined && identifier.test(name)
  const target = isPlain ? `.${name}` : `[${JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`)}]`
  return [
    provider === undefined ? '' : `provider[${JSON.stringify(provider)}].`,
    mode === 'data' ? 'data.' : '',
    type,
    target,
    index === undefined ? '' : `[${JSON.stringify(index)}]`,
  ].join('')
}

/**
 * Parses an attribute path of `ignore_changes`: `tags["a"]`, `rule[0].days`; undefined when the text is not a path.
 */
export function attributePathFromText(text: string): readonly (string | number)[] | undefined {
  return stepsOf(text)?.map(partOf)
}

type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'key'; readonly key: string }

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const step = /(?:^|\.)([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,15})\]|\[("(?:[^"\\]|\\.)*")\]/y

// Parses a name, followed by names after dots and positions or keys in brackets.
function stepsOf(text: string): readonly Step[] | undefined {
  if (text.startsWith('.')) return undefined
  const steps: Step[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const match = step.exec(text)
    if (match === null) return undefined
    const [, name, position, quoted] = match
    const read = name === undefined ? bracketed(position, quoted) : ({ kind: 'name', name } as const)
    if (read === undefined || (steps.length === 0 && read.kind !== 'name')) return undefined
    steps.push(read)
  }
  return steps.length === 0 ? undefined : steps
}

function bracketed(position: string | undefined, quoted: string | undefined): Step | undefined {
  if (position !== undefined) return { kind: 'position', position: Number(position) }
  try {
    return { kind: 'key', key: JSON.parse(quoted ?? '') as string }
  } catch {
    return undefined
  }
}

function partOf(each: Step): string | number {
  if (each.kind === 'name') return each.name
  return each.kind === 'key' ? each.key : each.position
}

// Removes `provider["p"]` from the front; returns null when `provider` is not followed by a key.
function shiftProvider(steps: Step[]): string | null {
  steps.shift()
  const key = steps.shift()
  return key?.kind === 'key' && key.key !== '' ? key.key : null
}

function namespacedNameFromKey(key: string): { readonly namespace?: string; readonly name: string } | undefined {
  const parts = key.split('/')
  if (parts.length > 2 || parts.some((part) => part === '')) return undefined
  return parts.length === 1 ? { name: parts[0]! } : { namespace: parts[0]!, name: parts[1]! }
}
