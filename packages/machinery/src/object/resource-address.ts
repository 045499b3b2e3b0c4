/**
 * The address of a resource in references, plans and `depends_on`: `[provider["p"].][data.]type.name[key]`. Names that
 * are not identifiers, and names in another namespace, are written in brackets: `type["my.name"]`, `type["ns/name"]`.
 */
export interface ResourceAddress {
  /** The name of the Provider object. Absent: the code that resolves the address chooses. */
  readonly provider?: string
  /** True for a data source. */
  readonly data: boolean
  /** The provider's name of the type, such as `aws_vpc`. */
  readonly type: string
  /** Absent: the namespace of the object that contains the address. */
  readonly namespace?: string
  readonly name: string
  /** The index or key of one instance. Absent: the object as a whole. */
  readonly key?: number | string
}

/** Attribute names, list positions and map keys, outermost first. */
export type AttributePath = readonly (string | number)[]

/** Thrown for text that is not an address. The message states the first problem and the expected form. */
export class AddressError extends Error {
  constructor(text: string, problem: string) {
    super(
      `${JSON.stringify(text.slice(0, 200))} is not an address: ${problem}; write TYPE.NAME or TYPE["NAMESPACE/NAME"]`,
    )
    this.name = 'AddressError'
  }
}

/** Parses an address. Throws AddressError. */
export function parseAddress(text: string): ResourceAddress {
  const { address, path } = parseAttributeReference(text)
  if (path.length > 0) throw new AddressError(text, 'the name is followed by more than one instance key')
  return address
}

/** Parses an address that may continue with a path into the resource's attributes: `aws_vpc.main.tags["a"]`. */
export function parseAttributeReference(text: string): {
  readonly address: ResourceAddress
  readonly path: AttributePath
} {
  const steps = stepsOf(text)
  const takeText = (what: string): string => {
    const step = steps.shift()
    if (typeof step?.value !== 'string' || step.value === '') throw new AddressError(text, `${what} is missing`)
    return step.value
  }
  let provider: string | undefined
  if (isWord(steps[0], 'provider') && isKey(steps[1])) {
    steps.shift()
    provider = takeText('the name of the provider')
  }
  const data = isWord(steps[0], 'data')
  if (data) steps.shift()
  if (isKey(steps[0])) throw new AddressError(text, 'it does not begin with a type')
  const type = takeText('the type')
  const target = targetFrom(takeText('the name'), text)
  const key = isKey(steps[0]) ? steps.shift()?.value : undefined
  const address = {
    ...(provider !== undefined && { provider }),
    data,
    type,
    ...target,
    ...(key !== undefined && { key }),
  }
  return { address, path: steps.map(({ value }) => value) }
}

/** Parses an attribute path of `ignore_changes`: `tags["a"]`, `rule[0].days`. Throws AddressError. */
export function parseAttributePath(text: string): AttributePath {
  const steps = stepsOf(text)
  if (steps[0]?.isWord !== true) throw new AddressError(text, 'it does not begin with an attribute')
  return steps.map(({ value }) => value)
}

/** Formats an address in its shortest form; the same address always gives the same text. */
export function addressToText({ provider, data, type, namespace, name, key }: ResourceAddress): string {
  const from = provider === undefined ? '' : `provider[${JSON.stringify(provider)}].`
  const isPlain = namespace === undefined && plainName.test(name)
  const target = isPlain ? `.${name}` : `[${JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`)}]`
  const instance = key === undefined ? '' : `[${JSON.stringify(key)}]`
  return `${from}${data ? 'data.' : ''}${type}${target}${instance}`
}

interface Step {
  readonly value: string | number
  /** True for a word at the beginning or after a dot, false for a key in brackets. */
  readonly isWord: boolean
}

// Reserved words of the expression language can't follow a dot there, so they are written in brackets.
const plainName = /^(?!(?:true|false|null|in)$)[A-Za-z_]\w*$/
const maxLength = 4096
const token = /([A-Za-z_][\w-]*)|\[(\d{1,15})\]|\[("(?:[^"\\]|\\.)*")\]|\['([^'\\]*)'\]/y

function stepsOf(text: string): Step[] {
  if (text.length > maxLength) throw new AddressError(text, `it is longer than ${maxLength} characters`)
  const steps: Step[] = []
  let at = 0
  while (at < text.length) {
    token.lastIndex = steps.length > 0 && text[at] === '.' ? at + 1 : at
    const match = token.exec(text)
    const isWord = match?.[1] !== undefined
    const followsDot = token.lastIndex - (match?.[0].length ?? 0) > at
    // After the first step a word needs a dot before it, and a bracket must not have one.
    if (match === null || (steps.length > 0 && isWord !== followsDot))
      throw new AddressError(text, `character ${at + 1} is not allowed there`)
    steps.push({ value: stepValue(match, text), isWord })
    at = token.lastIndex
  }
  return steps
}

function stepValue([, word, index, quoted, single]: RegExpExecArray, text: string): string | number {
  if (index !== undefined) return Number(index)
  const plain = word ?? single
  if (plain !== undefined) return plain
  try {
    return JSON.parse(quoted!) as string
  } catch {
    throw new AddressError(text, `${quoted} is not a JSON string`)
  }
}

function isKey(step: Step | undefined): boolean {
  return step?.isWord === false
}

function isWord(step: Step | undefined, word: string): boolean {
  return step?.isWord === true && step.value === word
}

function targetFrom(key: string, text: string): Pick<ResourceAddress, 'namespace' | 'name'> {
  const [first = '', second, ...more] = key.split('/')
  if (second === undefined) return { name: first }
  if (first === '' || second === '' || more.length > 0)
    throw new AddressError(text, `${JSON.stringify(key)} is neither NAME nor NAMESPACE/NAME`)
  return { namespace: first, name: second }
}
