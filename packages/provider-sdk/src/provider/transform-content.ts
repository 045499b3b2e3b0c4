import {
  attributeStep,
  canonicalSet,
  emptyObject,
  equalValues,
  indexStep,
  isList,
  isObject,
  isUnknown,
  keyStep,
  type Path,
  type PathStep,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { partsOf } from './content-values.ts'
import type { AttributeSpec } from './schema/attribute.ts'
import type { BlockSpec } from './schema/block.ts'
import { contentOf, elementTypeOf, nestingOf } from './schema/element-type.ts'
import { type Content, isComputed } from './schema/schema.ts'

/** A planned value with the corresponding values in the configuration and in the prior state. */
export interface PlanValues {
  readonly planned: Value
  /** Null where the configuration has no value. */
  readonly config: Value
  readonly prior: Value
}

/** The position of a value in the object. */
export interface Position {
  /** Inside of a set it ends at the set, because the protocol cannot address its elements. */
  readonly path: Path
  readonly inSet: boolean
  /** True when the configuration has the enclosing container; false when a default or the provider set it. */
  readonly given: boolean
}

/** Returns the new planned value of an attribute or block; called before its nested values are visited. */
export type Visit = (spec: AttributeSpec | BlockSpec, values: PlanValues, position: Position) => Value

/** Rebuilds a planned object by visiting each attribute and block, outer before inner. */
export function transformContent(
  content: Content,
  { planned, config, prior }: { readonly planned: ValueObject; readonly config: Value; readonly prior: Value },
  visit: Visit,
  position: Position = { path: [], inSet: false, given: true },
): ValueObject {
  const result = emptyObject()
  for (const [name, spec] of partsOf(content)) {
    const values = { planned: planned[name] ?? null, config: member(config, name), prior: member(prior, name) }
    result[name] = transformPart(spec, values, visit, step(position, attributeStep(name)))
  }
  return result
}

function transformPart(spec: AttributeSpec | BlockSpec, values: PlanValues, visit: Visit, position: Position): Value {
  const planned = visit(spec, values, position)
  const content = contentOf(spec)
  if (content === undefined || planned === null || isUnknown(planned)) return planned
  const { config, prior } = values
  const inner = { ...position, given: config !== null }
  const one = (part: Value, itsConfig: Value, itsPrior: Value, at: Position) =>
    isObject(part) ? transformContent(content, { planned: part, config: itsConfig, prior: itsPrior }, visit, at) : part
  switch (nestingOf(spec)) {
    case 'single':
      return one(planned, config, prior, inner)
    case 'list':
      return elements(planned).map((part, i) =>
        one(part, element(config, i), element(prior, i), step(inner, indexStep(i))),
      )
    case 'map': {
      const result = emptyObject()
      for (const [key, part] of Object.entries(planned as ValueObject)) {
        result[key] = one(part, member(config, key), member(prior, key), step(inner, keyStep(key)))
      }
      return result
    }
    case 'set': {
      const configs = new UnmatchedElements(elements(config))
      const priors = new UnmatchedElements(elements(prior))
      const inSet = { ...inner, inSet: true }
      const result = elements(planned).map((part) => {
        const itsConfig = configs.take(part, (candidate) => correspondsTo(content, part, candidate))
        if (itsConfig === undefined) return part
        const itsPrior = priors.take(itsConfig, (candidate) => correspondsTo(content, candidate, itsConfig))
        return one(part, itsConfig, itsPrior ?? null, inSet)
      })
      return canonicalSet(result, elementTypeOf(content))
    }
  }
}

/** The elements of a set that are not matched yet; each matches at most one other element. */
class UnmatchedElements {
  readonly #left: Value[]

  constructor(all: readonly Value[]) {
    this.#left = [...all]
  }

  take(wanted: Value, fits: (candidate: Value) => boolean): Value | undefined {
    const exact = this.#left.findIndex((candidate) => equalValues(candidate, wanted))
    const index = exact >= 0 ? exact : this.#left.findIndex(fits)
    return index < 0 ? undefined : this.#left.splice(index, 1)[0]
  }
}

/**
 * Returns true when an element of a plan or state can stem from an element of the configuration: set attributes are equal,
 * while computed ones without configuration and write-only ones are ignored.
 */
function correspondsTo(content: Content, value: Value, config: Value): boolean {
  if (!isObject(value) || !isObject(config)) return equalValues(value, config)
  return partsOf(content).every(([name, spec]) => {
    const [mine, theirs] = [value[name] ?? null, config[name] ?? null]
    if (spec.kind === 'attribute' && theirs === null && (isComputed(spec) || spec.options.writeOnly)) return true
    if (spec.kind === 'attribute' && spec.options.writeOnly) return true
    const inner = contentOf(spec)
    if (inner === undefined || mine === null || theirs === null) return equalValues(mine, theirs)
    if (nestingOf(spec) === 'single') return correspondsTo(inner, mine, theirs)
    if (!isList(mine) || !isList(theirs) || nestingOf(spec) === 'set') return equalValues(mine, theirs)
    return mine.length === theirs.length && mine.every((part, i) => correspondsTo(inner, part, theirs[i]!))
  })
}

function step(position: Position, next: PathStep): Position {
  return position.inSet ? position : { ...position, path: [...position.path, next] }
}

// A member of an unknown value is unknown; a member of null is null.
function member(value: Value, name: string): Value {
  if (isUnknown(value)) return value
  return isObject(value) ? (value[name] ?? null) : null
}

function element(value: Value, index: number): Value {
  if (isUnknown(value)) return value
  return isList(value) ? (value[index] ?? null) : null
}

function elements(value: Value): readonly Value[] {
  return isList(value) ? value : []
}
