/**
 * Where a resource is, as references, plans and `depends_on` write it: `[provider["p"].][data.]type.name[index]`. Names
 * that are no identifiers, and those of another namespace, stand in brackets: `type["my-name"]`, `type["ns/name"]`.
 */
export interface ResourceAddress {
  /** The Provider that is meant. Absent: whoever reads the address decides. */
  readonly provider?: string
  readonly mode: 'managed' | 'data'
  /** The provider's name of the type, as `aws_vpc`. */
  readonly type: string
  /** Absent: the namespace of who wrote the address. */
  readonly namespace?: string
  readonly name: string
  /** One instance of several. Absent: the object as a whole. */
  readonly index?: number | string
}

/** What follows an address: into the attributes of what it names. */
export interface ResourceReference {
  readonly address: ResourceAddress
  /** Attribute names, list positions and map keys, outermost first. */
  readonly path: readonly (string | number)[]
}

/** Reads an address; undefined when the text is none. */
export function resourceAddressFromText(text: string): ResourceAddress | undefined {
  const reference = resourceReferenceFromText(text)
  return reference?.path.length === 0 ? reference.address : undefined
}

/** Reads an address that may go on into attributes, as `aws_vpc.main.tags["a"]`; undefined when the text is none. */
export function resourceReferenceFromText(text: string): ResourceReference | undefined {
  const steps = stepsOf(text)
  if (steps === undefined) return undefined
  const rest = [...steps]
  const provider = rest[0]?.kind === 'name' && rest[0].name === 'provider' ? takeProvider(rest) : undefined
  if (provider === null) return undefined
  const isData = rest[0]?.kind === 'name' && rest[0].name === 'data'
  if (isData) rest.shift()
  const type = rest.shift()
  const named = rest.shift()
  if (type?.kind !== 'name' || named === undefined || named.kind === 'position') return undefined
  const place = named.kind === 'name' ? { name: named.name } : placeFromKey(named.key)
  if (place === undefined) return undefined
  const [first] = rest
  const index = first?.kind === 'position' ? first.position : first?.kind === 'key' ? first.key : undefined
  if (index !== undefined) rest.shift()
  const address: ResourceAddress = {
    ...(provider !== undefined && { provider }),
    mode: isData ? 'data' : 'managed',
    type: type.name,
    ...place,
    ...(index !== undefined && { index }),
  }
  return { address, path: rest.map(partOf) }
}

/** Writes an address in its shortest form. */
export function resourceAddressToText(address: ResourceAddress): string {
  const { provider, mode, type, namespace, name, index } = address
  const isPlain = namespace === undefined && identifier.test(name)
  const place = isPlain ? `.${name}` : `[${JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`)}]`
  return [
    provider === undefined ? '' : `provider[${JSON.stringify(provider)}].`,
    mode === 'data' ? 'data.' : '',
    type,
    place,
    index === undefined ? '' : `[${JSON.stringify(index)}]`,
  ].join('')
}

/**
 * Reads a path into attributes, as `ignore_changes` writes it: `tags["a"]`, `rule[0].days`; undefined when the text is
 * none.
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

// A name first, then names behind dots and positions or keys in brackets.
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

// Takes `provider["p"]` off; null when it is written in another way.
function takeProvider(steps: Step[]): string | null {
  steps.shift()
  const key = steps.shift()
  return key?.kind === 'key' && key.key !== '' ? key.key : null
}

function placeFromKey(key: string): { readonly namespace?: string; readonly name: string } | undefined {
  const parts = key.split('/')
  if (parts.length > 2 || parts.some((part) => part === '')) return undefined
  return parts.length === 1 ? { name: parts[0]! } : { namespace: parts[0]!, name: parts[1]! }
}
