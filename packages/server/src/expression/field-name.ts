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

/** How a property is called in expressions, as Kubernetes escapes it; undefined when it can't be named there. */
export function expressionNameOf(property: string): string | undefined {
  if (!identifier.test(property)) return undefined
  if (reserved.has(property)) return `__${property}__`
  return property.replace(/__|\.|-|\//g, (part) => escapes[part]!)
}
