/** A message in protobuf's text format: each field with all its values, in order. */
export type TextMessage = Readonly<Record<string, readonly TextValue[]>>
export type TextValue = string | TextScalar | TextMessage

/** A bare word or number. */
export class TextScalar {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Parses a message. Strings are decoded as latin-1, because the format defines them as bytes. */
export function parseTextProto(text: string): TextMessage {
  const tokens = [...text.matchAll(token)].filter(([, skipped]) => skipped === undefined).map(([whole]) => whole!)
  const [message] = readFields(tokens, 0, '')
  return message
}

const token = /(#[^\n]*|\s+|[,;])|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\[[\w./]+\]|[-\w.+]+|[{}<>:[\]]/g

function readFields(tokens: readonly string[], from: number, end: string): [TextMessage, number] {
  const fields: Record<string, TextValue[]> = {}
  let at = from
  while (at < tokens.length && tokens[at] !== end) {
    const name = tokens[at++]!.replace(/^\[|\]$/g, '')
    if (tokens[at] === ':') at++
    const values: TextValue[] = []
    if (tokens[at] === '[') {
      at++
      while (tokens[at] !== ']') at = readValue(tokens, at, values)
      at++
    } else at = readValue(tokens, at, values)
    fields[name] = [...(fields[name] ?? []), ...values]
  }
  return [fields, at + 1]
}

function readValue(tokens: readonly string[], from: number, into: TextValue[]): number {
  const first = tokens[from]!
  if (first === '{' || first === '<') {
    const [message, at] = readFields(tokens, from + 1, first === '{' ? '}' : '>')
    into.push(message)
    return at
  }
  if (!/^["']/.test(first)) {
    into.push(new TextScalar(first))
    return from + 1
  }
  let at = from
  let value = ''
  while (at < tokens.length && /^["']/.test(tokens[at]!)) value += unescaped(tokens[at++]!.slice(1, -1))
  into.push(value)
  return at
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' }

function unescaped(text: string): string {
  const latin = Buffer.from(text).toString('latin1')
  return latin.replace(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])/g,
    (_, code: string) => {
      if (code[0] === 'x') return String.fromCharCode(Number.parseInt(code.slice(1), 16))
      if (/^[uU]/.test(code) && code.length > 1)
        return Buffer.from(String.fromCodePoint(Number.parseInt(code.slice(1), 16))).toString('latin1')
      if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255)
      return escapes[code] ?? code
    },
  )
}
