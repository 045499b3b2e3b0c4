/** A value in the syntax of a configuration, on several lines where it has members. */
export function quoteValue(value: unknown, indent: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const inner = '    '.repeat(indent + 1)
  const parts = Array.isArray(value)
    ? value.map((part) => `${inner}${quoteValue(part, indent + 1)},`)
    : Object.entries(value).map(([key, part]) => `${inner}${JSON.stringify(key)} = ${quoteValue(part, indent + 1)}`)
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join('\n')}\n${'    '.repeat(indent)}${close}`
}
