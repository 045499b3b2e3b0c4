/** What the CEL library's errors have. */
interface LibraryError {
  readonly code?: string
  readonly summary?: string
  readonly message: string
  readonly range?: { readonly start: number }
  readonly node?: { readonly op?: string; readonly args?: unknown; readonly range?: { readonly start: number } }
}

/** A compile error as cel-go prints it, pointing at the place in the text. */
export function compileFailureText(error: unknown, text: string, hasFunction: (name: string) => boolean): string {
  const failure = error as LibraryError
  const at = Math.min(positionOf(failure, text), text.length)
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length
  const source = text.split('\n')[line - 1] ?? ''
  return `ERROR: <input>:${line}:${column + 1}: ${compileMessage(failure, hasFunction)}\n | ${source}\n | ${'.'.repeat(column)}^`
}

/** An evaluation error as cel-go words it. */
export function evaluationFailureText(error: unknown): string {
  const { summary, message, code } = error as LibraryError
  const text = summary ?? message
  switch (code) {
    case 'no_such_key':
      return text.replace('No such key', 'no such key')
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(text)?.[1] ?? ''}`
    case 'numeric_overflow':
      return 'integer overflow'
    case 'modulo_by_zero':
      return 'modulus by zero'
    case 'no_such_overload':
    case 'no_matching_overload':
      return 'no such overload'
    case 'optional_value_missing':
      return 'optional.none() dereference'
    default:
      return text
  }
}

function compileMessage({ code, summary, message }: LibraryError, hasFunction: (name: string) => boolean): string {
  const text = (summary ?? message).replace(/object\d+/g, 'object')
  switch (code) {
    case 'unknown_variable':
      return `undeclared reference to '${text.replace('Unknown variable: ', '')}' (in container '')`
    case 'no_such_key':
      return `undefined field '${text.replace('No such key: ', '')}'`
    case 'no_such_overload':
      return operatorOverload(text)
    case 'no_matching_overload':
      return functionOverload(text, hasFunction)
    case 'cannot_index_type':
      return `type '${/'(.*)'/.exec(text)?.[1] ?? ''}' does not support field selection`
    case 'invalid_comprehension_range':
      return text.replace(/\.$/, '')
    default:
      return code === undefined || code.startsWith('parse') || /^(unexpected|unterminated|invalid_token)/.test(code)
        ? `Syntax error: ${text}`
        : text
  }
}

function operatorOverload(text: string): string {
  const binary = /^no such overload: (.+) (==|!=|<=|>=|<|>|in|[-+*/%]) (.+)$/.exec(text)
  if (binary !== null) {
    const name = binary[2] === 'in' ? '@in' : `_${binary[2]}_`
    return `found no matching overload for '${name}' applied to '(${binary[1]}, ${binary[3]})'`
  }
  const unary = /^no such overload: ([-!])(.+)$/.exec(text)
  return unary === null ? text : `found no matching overload for '${unary[1]}_' applied to '(${unary[2]})'`
}

function functionOverload(text: string, hasFunction: (name: string) => boolean): string {
  const match = /^found no matching overload for '(?:(.+)\.)?(\w+)\((.*)\)'$/s.exec(text)
  if (match === null) return text
  const [, receiver, name = '', args = ''] = match
  if (!hasFunction(name)) return `undeclared reference to '${name}' (in container '')`
  const applied = receiver === undefined ? `(${args})` : `${receiver}.(${args})`
  return `found no matching overload for '${name}' applied to '${applied}'`
}

// cel-go points at the dot of a selection and at the operator between two operands.
function positionOf({ node, range }: LibraryError, text: string): number {
  const start = node?.range?.start ?? range?.start ?? 0
  const parts = Array.isArray(node?.args) ? (node.args as { range?: { start: number; end: number } }[]) : []
  const end = parts[0]?.range?.end
  if (end === undefined || node?.op === undefined) return start
  if (node.op === '.') return Math.max(text.indexOf('.', end), start)
  const operator = text.indexOf(node.op, end)
  return operator < 0 || !/^[^\w]|^in$/.test(node.op) ? start : operator
}
