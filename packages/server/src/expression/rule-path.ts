import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'

/** Normalizes a rule's fieldPath for messages: fields after dots, map keys in brackets. */
export function normalizedPath(path: string, schema: JsonSchema): string {
  let result = ''
  let current: JsonSchema | undefined = schema
  for (const [, dotted, quoted] of path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name: string = dotted ?? quoted!.replace(/\\(.)/g, '$1')
    const isField: boolean = current?.properties !== undefined
    result += isField ? `${result === '' ? '' : '.'}${name}` : `[${name}]`
    current = isField ? current?.properties?.[name] : current === undefined ? undefined : additionalSchema(current)
  }
  return result
}

/** Appends a relative path to the path of a field; the root has an empty path. */
export function joinedPath(field: string, path: string): string {
  if (field === '' || path === '') return field + path || '<nil>'
  return `${field}.${path}`
}
