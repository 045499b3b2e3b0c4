import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'

/** A rule's path as messages write it: fields behind dots and keys of maps in brackets, however they were written. */
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

/** A path inside of a place; the root has no name of its own. */
export function joinedPath(field: string, path: string): string {
  if (field === '' || path === '') return field + path || '<nil>'
  return `${field}.${path}`
}
