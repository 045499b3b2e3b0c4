const identifier = /^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/

const reserved = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import'],
  ...['let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
])

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/** The name of a property in expressions, with Kubernetes' escaping; undefined if it can't be referred to. */
export function expressionNameOf(property: string): string | undefined {
  if (!identifier.test(property)) return undefined
  if (reserved.has(property)) return `__${property}__`
  return property.replace(/__|\.|-|\//g, (part) => escapes[part]!)
}
