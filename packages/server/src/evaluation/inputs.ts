import { Decimal, isWhollyKnown, Typed, valueAt } from '@hykube/tfplugin/value'
import {
  type EachReference,
  type Evaluated,
  type Found,
  type Reference,
  type ResourceReference,
  referenceToText,
  type ValueScope,
} from '../expression/index.ts'
import { type InstanceKey, instanceToText } from '../model/index.ts'
import { canonicalText } from '../terraform/index.ts'
import { lookUp, type Outputs } from './outputs.ts'

/** The values that an object's references resolve to, read once before its instances are evaluated. */
export class Inputs {
  readonly #outputs = new Map<string, Outputs>()
  readonly #texts = new Map<string, string | undefined>()
  #secrets = false

  /** Adds the outputs of a referenced object; outputs of further instances are merged. */
  addOutputs(reference: ResourceReference, { repetition, instances }: Outputs): void {
    const text = objectText(reference)
    const known = this.#outputs.get(text)
    const all = known === undefined ? instances : new Map([...known.instances, ...instances])
    this.#outputs.set(text, { repetition, instances: all })
  }

  /** Adds the value of a key of a Secret or ConfigMap; undefined when the key doesn't exist. */
  addText(reference: Reference, text: string | undefined): void {
    this.#secrets ||= reference.kind === 'secret'
    this.#texts.set(referenceToText(reference), text)
  }

  /** Returns all inputs as one canonical text for comparison; undefined when a value is unknown or there are more than `mostValues`. */
  text(mostValues: number): string | undefined {
    const parts: string[] = []
    for (const [object, { instances }] of this.#outputs) {
      if (parts.length + instances.size > mostValues) return undefined
      for (const [key, { value }] of instances) {
        if (!isWhollyKnown(value)) return undefined
        parts.push(`${object}${instanceToText(key)}=${canonicalText(value)}`)
      }
    }
    for (const [reference, text] of this.#texts) parts.push(JSON.stringify([reference, text]))
    return parts.join('\n')
  }

  /** True when any input is sensitive. */
  get areSensitive(): boolean {
    const outputs = [...this.#outputs.values()]
    return this.#secrets || outputs.some(({ instances }) => [...instances.values()].some((each) => each.sensitive))
  }

  /** Returns the scope in which the expressions of one instance are evaluated. */
  scope(instance: InstanceKey, each: Evaluated | undefined): InstanceScope {
    return new InstanceScope((reference) => this.#find(reference, instance, each))
  }

  #find(reference: Reference, instance: InstanceKey, each: Evaluated | undefined): Found | undefined {
    switch (reference.kind) {
      case 'count':
        return typeof instance === 'number' ? { value: Decimal.fromInteger(instance), sensitive: false } : undefined
      case 'each':
        return eachPart(reference, instance, each)
      case 'secret':
      case 'configmap': {
        const value = this.#texts.get(referenceToText(reference))
        return value === undefined ? undefined : { value, sensitive: reference.kind === 'secret' }
      }
      case 'resource': {
        const outputs = this.#outputs.get(objectText(reference))
        return outputs === undefined ? undefined : lookUp(outputs, reference.instance, instance, reference.path)
      }
    }
  }
}

/** Resolves references for one instance and records which ones were looked up. */
export class InstanceScope implements ValueScope {
  readonly #find: (reference: Reference) => Found | undefined
  readonly #used = new Map<string, Found | undefined>()

  constructor(find: (reference: Reference) => Found | undefined) {
    this.#find = find
  }

  lookup(reference: Reference): Found | undefined {
    const text = referenceToText(reference)
    if (this.#used.has(text)) return this.#used.get(text)
    const found = this.#find(reference)
    this.#used.set(text, found)
    return found
  }

  /** The sensitive strings and numbers that were looked up. A provider may return one without the text around it in the configuration. */
  get secrets(): readonly string[] {
    return [...this.#used.values()].flatMap((found) => {
      const value = found?.value instanceof Typed ? found.value.value : found?.value
      return found?.sensitive && (typeof value === 'string' || value instanceof Decimal) ? [String(value)] : []
    })
  }

  /** Lists the values of other objects that were looked up, sorted by reference: the hash of each, or null while it is unknown. */
  used(hash: (text: string) => string): [text: string, hash: string | null][] {
    const used: [string, string | null][] = []
    for (const [text, found] of this.#used) {
      if (text.startsWith('each.') || text === 'count.index') continue
      const { value } = found ?? {}
      used.push([text, value === undefined || !isWhollyKnown(value) ? null : hash(canonicalText(value))])
    }
    return used.sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

function eachPart(
  { part, path }: EachReference,
  instance: InstanceKey,
  each: Evaluated | undefined,
): Found | undefined {
  if (typeof instance !== 'string' || each === undefined) return undefined
  if (part === 'key') return { value: instance, sensitive: false }
  return { value: valueAt(each.value, path), sensitive: each.sensitive }
}

// A key for the object of a reference, the same for every attribute and instance.
function objectText({ provider = '', data, type, namespace = '', name }: ResourceReference): string {
  return `${provider}/${data}/${type}/${namespace}/${name}`
}
