import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import { additionalSchema, type JsonSchema } from './json-schema.ts'
import { objectMetaShape, type TypeShape } from './type-shape.ts'
import { pathText, type WalkPath } from './walk-context.ts'

/** A value without its unknown fields, and the paths of the removed fields. */
export interface PrunedValue {
  readonly value: JsonValue
  readonly unknownFields: readonly string[]
}

/**
 * Removes the fields of an object that its schema does not declare. At the root and in embedded resources, apiVersion,
 * kind and metadata need no declaration. Returns the same object when nothing was removed.
 */
export function pruneObject(schema: JsonSchema, object: JsonObject): PrunedValue {
  const context: PruneContext = { path: [], unknownFields: [] }
  const value = compileObject(schema, true)(object, context)
  return { value, unknownFields: context.unknownFields }
}

interface PruneContext {
  readonly path: WalkPath
  readonly unknownFields: string[]
}

type Prune = (value: JsonValue, context: PruneContext) => JsonValue

// A schema compiles differently as a resource (with apiVersion, kind and metadata) and as a nested object.
const compiled = new WeakMap<JsonSchema, Prune>()
const compiledTop = new WeakMap<JsonSchema, Prune>()

function compile(schema: JsonSchema): Prune {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const prune =
    schema.items === undefined
      ? compileObject(schema, schema['x-kubernetes-embedded-resource'] === true)
      : compileList(schema.items)
  compiled.set(schema, prune)
  return prune
}

function compileList(items: JsonSchema): Prune {
  const prune = compile(items)
  return (value, context) => {
    if (!Array.isArray(value)) return value
    let result: JsonValue[] | undefined
    for (let index = 0; index < value.length; index++) {
      context.path.push(index)
      const pruned = prune(value[index]!, context)
      context.path.pop()
      if (pruned !== value[index]) {
        result ??= value.slice()
        result[index] = pruned
      }
    }
    return result ?? value
  }
}

// Compiles to `keep` where nothing can be pruned, so that such subtrees are not visited at all.
function compileObject(schema: JsonSchema, isResource: boolean): Prune {
  const cache = isResource ? compiledTop : compiled
  const known = cache.get(schema)
  if (known !== undefined) return known
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, compile(inner)]))
  if (isResource) {
    fields.set('apiVersion', keep).set('kind', keep).set('metadata', pruneMetadata)
  }
  const additional = additionalSchema(schema)
  const other = additional === undefined ? undefined : compile(additional)
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
  const isOpen = keepsAll || (other !== undefined && fields.size === 0 && other === keep)
  const isLeaf = !isResource && schema.type !== 'object' && schema.properties === undefined && additional === undefined
  const prune: Prune = isLeaf
    ? keep
    : (value, context) => pruneFields(value, context, fields, other ?? (isOpen ? keep : undefined))
  cache.set(schema, prune)
  return prune
}

function keep(value: JsonValue): JsonValue {
  return value
}

// Copies the object only when a field is removed or changed.
function pruneFields(
  value: JsonValue,
  context: PruneContext,
  fields: Map<string, Prune>,
  other: Prune | undefined,
): JsonValue {
  if (!isJsonObject(value)) return value
  let result: JsonObject | undefined
  const { path } = context
  for (const name of Object.keys(value)) {
    const prune = fields.get(name) ?? other
    if (prune === undefined) {
      context.unknownFields.push(pathText([...path, name]))
      result ??= { ...value }
      delete result[name]
    } else if (prune !== keep) {
      path.push(name)
      const pruned = prune(value[name]!, context)
      path.pop()
      if (pruned !== value[name]) {
        result ??= { ...value }
        setOwn(result, name, pruned)
      }
    }
  }
  return result ?? value
}

function pruneMetadata(value: JsonValue, context: PruneContext): JsonValue {
  return pruneByShape(objectMetaShape, value, context)
}

// CRD schemas do not declare metadata, so its fields are taken from its shape.
function pruneByShape(shape: TypeShape, value: JsonValue, context: PruneContext): JsonValue {
  if (shape.kind === 'list' && Array.isArray(value)) {
    return mapped(value, (item, index) => inside(context, index, () => pruneByShape(shape.element, item, context)))
  }
  if (shape.kind !== 'struct' || !isJsonObject(value)) return value
  let result: JsonObject | undefined
  for (const [name, item] of Object.entries(value)) {
    const field = shape.field(name)
    if (field === undefined) {
      context.unknownFields.push(pathText([...context.path, name]))
      result ??= { ...value }
      delete result[name]
      continue
    }
    const pruned = inside(context, name, () => pruneByShape(field, item, context))
    if (pruned === item) continue
    result ??= { ...value }
    setOwn(result, name, pruned)
  }
  return result ?? value
}

function inside(context: PruneContext, part: string | number, prune: () => JsonValue): JsonValue {
  context.path.push(part)
  const pruned = prune()
  context.path.pop()
  return pruned
}

function mapped(list: JsonValue[], change: (item: JsonValue, index: number) => JsonValue): JsonValue[] {
  const changed = list.map(change)
  return changed.some((item, index) => item !== list[index]) ? changed : list
}
