import type { NodeOutcome } from './node-outcome.ts'
import type { InstancePlan } from './node-plan.ts'
import type { Outputs, OutputValue, Repetition } from './outputs.ts'
import { compareInstances, type InstanceKey } from './vocabulary/instance-key.ts'

/** What the instances of one object came to. The values of many are not kept: who needs them has them read back. */
export class InstanceResults {
  /** Whether something is left to do, so that the next plan must look again. */
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

  // Many instances change alike: they share one list.
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

  get outcome(): NodeOutcome {
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
