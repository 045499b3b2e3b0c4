import { costLimitPerTemplates, type Evaluated, expansionOf, Meter } from '../expression/index.ts'
import type { InstanceKey, ResourceObject } from '../model/index.ts'
import type { FoundInputs } from './found-inputs.ts'
import { type Obstacle, problemText } from './obstacle.ts'

/** The desired instances of an object. `count` is kept as a number, because it may be a million. */
export interface Expansion {
  readonly kind: 'single' | 'count' | 'for_each'
  readonly size: number
  has(instance: InstanceKey): boolean
  /** The value of `each.value` for an instance. */
  each(instance: InstanceKey): Evaluated | undefined
  /** All keys; with `count` those from an index on. */
  keys(from: number): Iterable<InstanceKey>
}

/** Evaluates `count` or `for_each`, or returns why it can't be evaluated. */
export function expand(object: ResourceObject, { inputs }: FoundInputs): Expansion | Obstacle {
  const expansion = expansionOf(object.spec)
  if (expansion.kind === 'single') return single
  if (expansion.kind === 'invalid') return { kind: 'blocked', message: problemText(expansion.problems[0]!) }
  const result = expansion.evaluate(inputs.scope(undefined, undefined), new Meter(costLimitPerTemplates))
  switch (result.kind) {
    case 'count':
      return counted(result.count)
    case 'for_each':
      return keyed(result.entries)
    case 'unknown':
      return {
        kind: 'deferred',
        message: `spec.${expansion.kind} is known only after other changes are applied: its instances are planned then`,
      }
    case 'refused':
      return { kind: 'blocked', message: problemText(result.problem) }
  }
}

/** Collects the instances that have states, to find the missing ones. */
export class InstancesWithState {
  readonly #expansion: Expansion
  readonly #from: number
  readonly #indices: Uint8Array
  readonly #others = new Set<InstanceKey>()

  constructor(expansion: Expansion, from: number) {
    this.#expansion = expansion
    this.#from = from
    this.#indices = new Uint8Array(expansion.kind === 'count' ? Math.max(0, expansion.size - from) : 0)
  }

  add(instance: InstanceKey): void {
    if (this.#expansion.kind === 'count') this.#indices[(instance as number) - this.#from] = 1
    else this.#others.add(instance)
  }

  /** Lists the desired instances without states. */
  *missing(): Generator<InstanceKey> {
    for (const key of this.#expansion.keys(this.#from))
      if (this.#expansion.kind === 'count' ? this.#indices[(key as number) - this.#from] === 0 : !this.#others.has(key))
        yield key
  }
}

const single: Expansion = {
  kind: 'single',
  size: 1,
  has: (instance) => instance === undefined,
  each: () => undefined,
  keys: () => [undefined],
}

function counted(count: number): Expansion {
  return {
    kind: 'count',
    size: count,
    has: (instance) => typeof instance === 'number' && instance < count,
    each: () => undefined,
    *keys(from) {
      for (let index = from; index < count; index++) yield index
    },
  }
}

function keyed(entries: ReadonlyMap<string, Evaluated>): Expansion {
  return {
    kind: 'for_each',
    size: entries.size,
    has: (instance) => typeof instance === 'string' && entries.has(instance),
    each: (instance) => entries.get(instance as string),
    keys: () => entries.keys(),
  }
}
