import { type Attribute, impliedType, type Schema } from '@hykube/tfplugin/schema'
import {
  canonicalSet,
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type ObjectType,
  objectType,
  type Path,
  type PathStep,
  sameType,
  startsWithPath,
  type Type,
  Typed,
  tupleType,
  type Value,
  type ValueList,
  type ValueObject,
} from '@hykube/tfplugin/value'
import type { IgnoredChanges } from '../model/index.ts'
import { type Content, contentOfAttributes } from './parts.ts'
import { closeBlocks, openBlocks } from './typed-blocks.ts'

/**
 * Returns the configuration with the prior values at ignored paths. A path that doesn't exist on both sides is skipped, except that a
 * map key may be added or removed. Without a prior state nothing is ignored.
 */
export function ignoreChanges(prior: Value, config: Value, ignored: IgnoredChanges, { block }: Schema): Value {
  if (prior === null || config === null || ignored.length === 0) return config
  if (ignored === 'all') return withoutComputed(block, prior)
  return revert(prior, config, ignored, impliedType(block))
}

/** Restores the prior values at ignored paths in the plan of a legacy provider, which may have changed them. */
export function revertIgnored(prior: Value, planned: Value, ignored: IgnoredChanges, { block }: Schema): Value {
  if (prior === null || planned === null || ignored.length === 0) return planned
  return ignored === 'all' ? prior : revert(prior, planned, ignored, impliedType(block))
}

/** Returns the sensitive paths of a configuration; at ignored paths those of the prior state count. */
export function ignoreSensitivity(
  prior: readonly Path[],
  config: readonly Path[],
  ignored: IgnoredChanges,
): readonly Path[] {
  if (ignored.length === 0) return config
  if (ignored === 'all') return prior
  const isIgnored = (path: Path) => ignored.some((ignoredPath) => startsWithPath(path, ignoredPath))
  return [...config.filter((path) => !isIgnored(path)), ...prior.filter(isIgnored)]
}

function revert(prior: Value, config: Value, paths: readonly Path[], type: Type): Value {
  return paths.reduce((value, path) => revertAt(prior, value, type, path, 0), config)
}

function revertAt(prior: Value, config: Value, type: Type, path: Path, depth: number): Value {
  const step = path[depth]
  // Like Terraform, doesn't ignore changes of an unknown map, even if the whole map is ignored.
  if (step === undefined) return type.kind === 'map' && isUnknown(config) ? config : prior
  if (type.kind === 'dynamic') return revertDynamic(prior, config, path, depth)
  if (type.kind === 'map' && depth === path.length - 1) return revertKey(prior, config, nameOf(step))
  if (type.kind === 'list' || type.kind === 'tuple') return revertElement(prior, config, type, path, depth)
  if (type.kind !== 'object' && type.kind !== 'map') return config
  const name = nameOf(step)
  if (!isObject(prior) || !isObject(config) || !Object.hasOwn(prior, name) || !Object.hasOwn(config, name))
    return config
  const member = type.kind === 'object' ? type.attributes.get(name)! : type.element
  const part = revertAt(prior[name]!, config[name]!, member, path, depth + 1)
  return part === config[name] ? config : withMember(config, name, part)
}

function revertElement(prior: Value, config: Value, type: Type, path: Path, depth: number): Value {
  const step = path[depth]!
  if (step.kind !== 'index' || !isList(prior) || !isList(config)) return config
  const { index } = step
  if (index >= prior.length || index >= config.length) return config
  const element = type.kind === 'tuple' ? type.elements[index]! : (type as { readonly element: Type }).element
  const part = revertAt(prior[index]!, config[index]!, element, path, depth + 1)
  return part === config[index] ? config : config.with(index, part)
}

// Restores a key of the prior map, and removes one that the prior map didn't have.
function revertKey(prior: Value, config: Value, key: string): Value {
  if (isUnknown(config) || isUnknown(prior)) return config
  const before = isObject(prior) ? prior : undefined
  const given = isObject(config) ? config : undefined
  if (before !== undefined && Object.hasOwn(before, key)) return withMember(given ?? {}, key, before[key]!)
  if (given === undefined || !Object.hasOwn(given, key)) return config
  const rest = Object.assign(emptyObject(), given)
  delete rest[key]
  return rest
}

// The types within dynamic values may differ between prior and configuration, so a restored part brings its type along.
function revertDynamic(prior: Value, config: Value, path: Path, depth: number): Value {
  if (!(prior instanceof Typed) || !(config instanceof Typed)) return config
  const step = path[depth]
  if (step === undefined) return prior
  if (sameType(prior.type, config.type)) {
    const part = revertAt(prior.value, config.value, config.type, path, depth)
    return part === config.value || part instanceof Typed ? config : new Typed(config.type, part)
  }
  const before = typedPart(prior, step)
  const given = typedPart(config, step)
  if (before === undefined || given === undefined) return config
  const part = revertDynamic(before, given, path, depth + 1)
  return part instanceof Typed && part !== given ? withTypedPart(config, step, part) : config
}

function typedPart({ type, value }: Typed, step: PathStep): Typed | undefined {
  if (type.kind === 'tuple' && step.kind === 'index' && isList(value) && step.index < value.length)
    return new Typed(type.elements[step.index]!, value[step.index] as Bare)
  const name = nameOf(step)
  if (type.kind !== 'object' || !isObject(value) || !Object.hasOwn(value, name)) return undefined
  return new Typed(type.attributes.get(name)!, value[name] as Bare)
}

function withTypedPart({ type, value }: Typed, step: PathStep, part: Typed): Typed {
  if (type.kind === 'tuple' && step.kind === 'index')
    return new Typed(
      tupleType(type.elements.with(step.index, part.type)),
      (value as ValueList).with(step.index, part.value),
    )
  const { attributes } = type as ObjectType
  const types = new Map(attributes).set(nameOf(step), part.type)
  return new Typed(objectType(types), withMember(value as ValueObject, nameOf(step), part.value))
}

type Bare = Exclude<Value, Typed>

function withMember(object: ValueObject, name: string, value: Value): ValueObject {
  const changed = Object.assign(emptyObject(), object)
  changed[name] = value
  return changed
}

function nameOf(step: PathStep): string {
  return step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : String(step.index)
}

/** Converts a state to a configuration: attributes that can't be configured become null. */
function withoutComputed({ attributes, blocks }: Content, value: Value): Value {
  if (!isObject(value)) return value
  const config = emptyObject()
  for (const attribute of attributes) config[attribute.name] = configuredPart(attribute, value[attribute.name] ?? null)
  for (const { name, nesting, block } of blocks) {
    const part = value[name] ?? null
    const element = impliedType(block)
    const open = openBlocks(part, element)
    const elements = eachElement(open, nesting, element, (its) => withoutComputed(block, its))
    config[name] = part instanceof Typed ? closeBlocks(elements, element) : elements
  }
  return config
}

function configuredPart({ computed, optional, shape }: Attribute, value: Value): Value {
  if (computed && !optional) return value instanceof Typed ? new Typed(value.type, null) : null
  if (shape.kind === 'plain') return value
  const content = contentOfAttributes(shape.attributes)
  const element = impliedType({ ...undocumented, ...content })
  return eachElement(value, shape.nesting, element, (its) => withoutComputed(content, its))
}

const undocumented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

function eachElement(value: Value, nesting: string, element: Type, change: (value: Value) => Value): Value {
  if (isList(value)) return nesting === 'set' ? canonicalSet(value.map(change), element) : value.map(change)
  if (nesting !== 'map' || !isObject(value)) return change(value)
  const object = emptyObject()
  for (const key of Object.keys(value)) object[key] = change(value[key]!)
  return object
}
