/** Where an object or one of its instances is found, as users write it: `[provider["p"].][data.]type.name[index]`. */
export interface Address {
  /** The name of the Provider, when it is said outright. */
  readonly provider?: string
  /** Whether it is a data source. */
  readonly data: boolean
  readonly type: string
  /** When it is another one than the reader's own. */
  readonly namespace?: string
  readonly name: string
  /** The index or key of one instance; without it the address means the whole object. */
  readonly key?: number | string
}

/** Why a text is not an address. */
export class AddressError extends Error {
  constructor(text: string, problem: string) {
    super(`${JSON.stringify(text.slice(0, 200))} is no address: ${problem}; write TYPE.NAME or TYPE["NAMESPACE/NAME"]`)
    this.name = 'AddressError'
  }
}

/** Reads an address. Throws AddressError. */
export function parseAddress(text: string): Address {
  const steps = stepsOf(text)
  const take = (what: string): string => {
    const step = steps.shift()
    if (typeof step?.value !== 'string' || step.value === '') throw new AddressError(text, `${what} is missing`)
    return step.value
  }
  const provider = isWord(steps[0], 'provider') && steps[1]?.dot === false ? takeProvider(steps, take) : undefined
  const data = isWord(steps[0], 'data')
  if (data) steps.shift()
  if (steps[0]?.dot === false) throw new AddressError(text, 'it does not begin with a type')
  const type = take('the type')
  const name = splitName(take('the name'), text)
  const last = steps.shift()
  if (steps.length > 0 || last?.dot === true) throw new AddressError(text, 'there is more behind the name')
  return {
    ...(provider !== undefined && { provider }),
    data,
    type,
    ...name,
    ...(last !== undefined && { key: last.value }),
  }
}

/** The one text of an address. */
export function addressToText({ provider, data, type, namespace, name, key }: Address): string {
  const from = provider === undefined ? '' : `provider[${JSON.stringify(provider)}].`
  const object = namespace === undefined && plainName.test(name) ? `.${name}` : bracketed(namespace, name)
  const instance = key === undefined ? '' : `[${JSON.stringify(key)}]`
  return `${from}${data ? 'data.' : ''}${type}${object}${instance}`
}

interface AddressStep {
  readonly value: string | number
  /** Whether it was a word, and not in brackets. */
  readonly dot: boolean
}

const plainName = /^(?!(?:true|false|null|in)$)[A-Za-z_]\w*$/
const longest = 4096
const token = /([A-Za-z_][\w-]*)|\[(\d{1,15})\]|\[("(?:[^"\\]|\\.)*")\]|\['([^'\\]*)'\]/y

function stepsOf(text: string): AddressStep[] {
  if (text.length > longest) throw new AddressError(text, 'it is too long')
  const steps: AddressStep[] = []
  let at = 0
  while (at < text.length) {
    token.lastIndex = steps.length > 0 && text[at] === '.' ? at + 1 : at
    const match = token.exec(text)
    const isWordHere = match?.[1] !== undefined
    // Words stand behind dots, brackets do not.
    if (match === null || isWordHere === (token.lastIndex - match[0].length === at && steps.length > 0)) {
      throw new AddressError(text, `character ${at + 1} can't stand there`)
    }
    steps.push(stepOf(match, text))
    at = token.lastIndex
  }
  return steps
}

function stepOf([, word, index, quoted, single]: RegExpExecArray, text: string): AddressStep {
  if (word !== undefined) return { value: word, dot: true }
  if (index !== undefined) return { value: Number(index), dot: false }
  return { value: single ?? unquoted(quoted!, text), dot: false }
}

function unquoted(quoted: string, text: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw new AddressError(text, `${quoted} is no text`)
  }
}

function isWord(step: AddressStep | undefined, word: string): boolean {
  return step?.dot === true && step.value === word
}

function takeProvider(steps: AddressStep[], take: (what: string) => string): string {
  steps.shift()
  return take('the name of the provider')
}

function splitName(text: string, whole: string): Pick<Address, 'namespace' | 'name'> {
  const [first = '', second, ...more] = text.split('/')
  if (second === undefined) return { name: first }
  if (first === '' || second === '' || more.length > 0)
    throw new AddressError(whole, `${JSON.stringify(text)} is no name`)
  return { namespace: first, name: second }
}

function bracketed(namespace: string | undefined, name: string): string {
  return `[${JSON.stringify(namespace === undefined ? name : `${namespace}/${name}`)}]`
}
