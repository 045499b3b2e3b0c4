import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'

/** Schema at a path, or the reason why there is none. */
export type FoundField =
  | { readonly kind: 'found'; readonly schema: JsonSchema; readonly fields: readonly string[] }
  | { readonly kind: 'wrong'; readonly why: string }

/** Resolves a path such as `.spec.replicas` or `.labels['a/b']` in a schema. List items can't be addressed. */
export function fieldAt(schema: JsonSchema, path: string): FoundField {
  const fields: string[] = []
  let rest = path
  let current: JsonSchema = schema
  if (!/^[.[]/.test(rest)) return wrong(`expected [ or . but got: ${rest[0] ?? ''}`)
  while (rest !== '') {
    const step = /^\.([a-zA-Z0-9_\-$/]+)|^\['((?:[^'\\]|\\.)*)'\]/.exec(rest)
    if (step === null) return wrong(`unexpected ${JSON.stringify(rest)}`)
    const name = step[1] ?? step[2]!
    const next = current.properties?.[name] ?? additionalSchema(current)
    if (next === undefined) return wrong(`does not refer to a valid field`)
    fields.push(name)
    current = next
    rest = rest.slice(step[0].length)
  }
  return { kind: 'found', schema: current, fields }
}

function wrong(why: string): FoundField {
  return { kind: 'wrong', why }
}
