import type { Outputs, OutputValue, Repetition } from '../../evaluation/index.ts'
import { compareInstances, type InstanceKey } from '../../model/index.ts'
import type { ObjectOutcome } from '../object-outcome.ts'
import type { InstancePlan } from '../object-plan.ts'

/** Collects the results of an object's instances. The values of a large batch are not kept in memory but read back when a dependent needs them. */
export class InstanceResults {
  /** True when an instance needs a change, so that the object's marks must stay. */
  unsettled = false
  readonly #repetition: Repetition
  readonly #readBack: () => Promise<Outputs>
  readonly #outputs: Map<InstanceKey, () => OutputValue> | undefined
  readonly #changed = new Set<string>()
  readonly #triggers = new Set<string>()
  readonly #triggersOf = new Map<InstanceKey, readonly string[]>()
  readonly #triggerLists = new Map<string, readonly string[]>()
  #isPending = false
  #blocked: string | undefined
  #deferred: string | undefined

  constructor(repetition: Repetition, isKept: boolean, readBack: () => Promise<Outputs>) {
    this.#repetition = repetition
    this.#readBack = readBack
    this.#outputs = isKept ? new Map() : undefined
  }

  add(instance: InstanceKey, plan: InstancePlan): void {
    if ('output' in plan) this.#outputs?.set(instance, plan.output)
    switch (plan.kind) {
      case 'same':
        for (const name of plan.attributes ?? []) this.#changed.add(name)
        break
      case 'changed':
        this.unsettled = true
        this.#isPending = true
        for (const name of plan.attributes) this.#changed.add(name)
        this.#trigger(instance, plan.triggers)
        break
      case 'read':
        for (const name of plan.attributes) this.#changed.add(name)
        break
      case 'blocked':
        this.unsettled = true
        this.#blocked ??= plan.message
        break
      case 'deferred':
        this.unsettled = true
        this.#deferred ??= plan.message
    }
  }

  // Instances with the same triggers share one list, to save memory.
  #trigger(instance: InstanceKey, names: readonly string[]): void {
    if (names.length === 0) return
    for (const name of names) this.#triggers.add(name)
    const text = names.join()
    const list = this.#triggerLists.get(text) ?? names
    this.#triggerLists.set(text, list)
    this.#triggersOf.set(instance, list)
  }

  drop(): void {
    this.#changed.add('*')
  }

  remove(blocked: string | undefined): void {
    this.unsettled = true
    this.#isPending = true
    this.#changed.add('*')
    this.#blocked ??= blocked
  }

  get outcome(): ObjectOutcome {
    if (this.#blocked !== undefined) return { kind: 'blocked', message: this.#blocked }
    if (this.#deferred !== undefined) return { kind: 'deferred', message: this.#deferred }
    const outputs = this.#outputsOf()
    if (this.#changed.size === 0 && !this.#isPending) return { kind: 'unchanged', outputs }
    return {
      kind: 'changed',
      isPending: this.#isPending,
      attributes: this.#changed,
      triggers: this.#triggers,
      triggersOf: this.#triggersOf,
      outputs,
    }
  }

  #outputsOf(): () => Promise<Outputs> {
    const outputs = this.#outputs
    let read: Promise<Outputs> | undefined
    return () => {
      read ??= outputs === undefined ? this.#readBack() : Promise.resolve(this.#evaluated(outputs))
      return read
    }
  }

  #evaluated(outputs: ReadonlyMap<InstanceKey, () => OutputValue>): Outputs {
    const sorted = [...outputs].sort(([a], [b]) => compareInstances(a, b))
    return { repetition: this.#repetition, instances: new Map(sorted.map(([key, output]) => [key, output()])) }
  }
}
