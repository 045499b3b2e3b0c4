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
import type { AttributeSpec } from './attribute.ts'
import type { BlockSpec } from './block.ts'
import { partsOf } from './content-values.ts'
import { contentOf, elementTypeOf, nestingOf } from './element-type.ts'
import { type Content, isComputed } from './schema.ts'

/** A value of a plan with what belongs to it in the configuration and in the state before. */
export interface Strands {
  readonly planned: Value
  /** Null where the configuration says nothing, and in all that is new. */
  readonly config: Value
  readonly prior: Value
}

/** Where in the value something is. Below a set it leads to the set: its elements can't be addressed. */
export interface Spot {
  readonly path: Path
  readonly inSet: boolean
  /** Whether the configuration has what this is a part of: if not, it came from a default or from the provider. */
  readonly given: boolean
}

/** Gives the planned value of an attribute or block, before what is nested in it is looked at. */
export type Visit = (spec: AttributeSpec | BlockSpec, strands: Strands, spot: Spot) => Value

/** The planned object with each of its attributes and blocks visited, outer before inner. */
export function transformContent(
  content: Content,
  { planned, config, prior }: { readonly planned: ValueObject; readonly config: Value; readonly prior: Value },
  visit: Visit,
  spot: Spot = { path: [], inSet: false, given: true },
): ValueObject {
  const result = emptyObject()
  for (const [name, spec] of partsOf(content)) {
    const strands = { planned: planned[name] ?? null, config: member(config, name), prior: member(prior, name) }
    result[name] = transformPart(spec, strands, visit, step(spot, attributeStep(name)))
  }
  return result
}

function transformPart(spec: AttributeSpec | BlockSpec, strands: Strands, visit: Visit, spot: Spot): Value {
  const planned = visit(spec, strands, spot)
  const content = contentOf(spec)
  if (content === undefined || planned === null || isUnknown(planned)) return planned
  const { config, prior } = strands
  const inner = { ...spot, given: config !== null }
  const one = (part: Value, itsConfig: Value, itsPrior: Value, at: Spot) =>
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
      const configs = new Pool(elements(config))
      const priors = new Pool(elements(prior))
      const inSet = { ...inner, inSet: true }
      const result = elements(planned).map((part) => {
        const itsConfig = configs.take(part, (candidate) => comesFrom(content, part, candidate))
        if (itsConfig === undefined) return part
        const itsPrior = priors.take(itsConfig, (candidate) => comesFrom(content, candidate, itsConfig))
        return one(part, itsConfig, itsPrior ?? null, inSet)
      })
      return canonicalSet(result, elementTypeOf(content))
    }
  }
}

/** Elements of a set, each of which belongs to one other at most. */
class Pool {
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

/** Whether an element of a plan or state may be what became of one of the configuration. */
function comesFrom(content: Content, value: Value, config: Value): boolean {
  if (!isObject(value) || !isObject(config)) return equalValues(value, config)
  return partsOf(content).every(([name, spec]) => {
    const [mine, theirs] = [value[name] ?? null, config[name] ?? null]
    if (spec.kind === 'attribute' && theirs === null && (isComputed(spec) || spec.options.writeOnly)) return true
    if (spec.kind === 'attribute' && spec.options.writeOnly) return true
    const inner = contentOf(spec)
    if (inner === undefined || mine === null || theirs === null) return equalValues(mine, theirs)
    if (nestingOf(spec) === 'single') return comesFrom(inner, mine, theirs)
    if (!isList(mine) || !isList(theirs) || nestingOf(spec) === 'set') return equalValues(mine, theirs)
    return mine.length === theirs.length && mine.every((part, i) => comesFrom(inner, part, theirs[i]!))
  })
}

function step(spot: Spot, next: PathStep): Spot {
  return spot.inSet ? spot : { ...spot, path: [...spot.path, next] }
}

// What is within an unknown is unknown, and within nothing there is nothing.
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
