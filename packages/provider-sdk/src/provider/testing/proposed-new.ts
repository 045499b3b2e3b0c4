import {
  emptyObject,
  equalValues,
  isList,
  isObject,
  isUnknown,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { partsOf } from '../content-values.ts'
import type { AttributeSpec } from '../schema/attribute.ts'
import type { BlockSpec } from '../schema/block.ts'
import { contentOf, nestingOf } from '../schema/element-type.ts'
import { type Content, isComputed } from '../schema/schema.ts'

/** Returns the proposed new state of a host: the configuration, with computed values from the state where it is null. */
export function proposedNew(content: Content, prior: ValueObject | null, config: ValueObject): ValueObject {
  const proposed = emptyObject()
  for (const [name, spec] of partsOf(content)) proposed[name] = part(spec, prior?.[name] ?? null, config[name] ?? null)
  return proposed
}

function part(spec: AttributeSpec | BlockSpec, prior: Value, config: Value): Value {
  if (spec.kind === 'attribute' && config === null) return isComputed(spec) ? prior : null
  const content = contentOf(spec)
  if (content === undefined || config === null || isUnknown(config)) return config
  const one = (its: Value, before: Value): Value =>
    isObject(its) ? proposedNew(content, isObject(before) ? before : null, its) : its
  switch (nestingOf(spec)) {
    case 'single':
      return one(config, prior)
    case 'list':
      return (config as Value[]).map((its, i) => one(its, isList(prior) ? (prior[i] ?? null) : null))
    case 'map':
      return Object.fromEntries(
        Object.entries(config as ValueObject).map(([key, its]) => [
          key,
          one(its, isObject(prior) ? (prior[key] ?? null) : null),
        ]),
      )
    case 'set': {
      const left = isList(prior) ? [...prior] : []
      return (config as Value[]).map((its) => {
        const index = left.findIndex((before) => correspondsTo(content, before, its))
        return one(its, index < 0 ? null : left.splice(index, 1)[0]!)
      })
    }
  }
}

// Matches an element of a set to its prior one by the attributes that the configuration sets.
function correspondsTo(content: Content, before: Value, config: Value): boolean {
  if (!isObject(before) || !isObject(config)) return false
  return partsOf(content).every(
    ([name, spec]) =>
      (spec.kind === 'attribute' && isComputed(spec) && config[name] === null) ||
      equalValues(before[name] ?? null, config[name] ?? null),
  )
}
