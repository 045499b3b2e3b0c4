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
import { canonicalText } from './canonical-text.ts'
import { lookUp, type Outputs } from './outputs.ts'
import { type InstanceKey, instanceToText } from './vocabulary/instance-key.ts'

/** What an object's references mean, before it is evaluated: everything that is read is read once. */
export class Inputs {
  readonly #outputs = new Map<string, Outputs>()
  readonly #texts = new Map<string, string | undefined>()
  #secrets = false

  /** What an object that is referred to looks like, or some of its instances. */
  takeOutputs(reference: ResourceReference, { repetition, instances }: Outputs): void {
    const text = objectText(reference)
    const known = this.#outputs.get(text)
    const all = known === undefined ? instances : new Map([...known.instances, ...instances])
    this.#outputs.set(text, { repetition, instances: all })
  }

  /** What a key of a Secret or ConfigMap holds; undefined when it is not there. */
  takeText(reference: Reference, text: string | undefined): void {
    this.#secrets ||= reference.kind === 'secret'
    this.#texts.set(referenceToText(reference), text)
  }

  /** All of it as text, equal for equal inputs; undefined when something is not known, or when it is more than so many values. */
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

  /** Whether anything of it is sensitive. */
  get holdSensitive(): boolean {
    const outputs = [...this.#outputs.values()]
    return this.#secrets || outputs.some(({ instances }) => [...instances.values()].some((each) => each.sensitive))
  }

  /** What references mean for one instance. */
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

/** What references mean for one instance. It remembers what it was asked. */
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

  /** The sensitive texts that were asked for: a provider may return one without the text around it. */
  get secrets(): readonly string[] {
    return [...this.#used.values()].flatMap((found) => {
      const value = found?.value instanceof Typed ? found.value.value : found?.value
      return found?.sensitive && (typeof value === 'string' || value instanceof Decimal) ? [String(value)] : []
    })
  }

  /** Every value of another object that was asked for: its hash, or null while it is not known. In the order of texts. */
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

// Which object a reference means, whatever it takes of it.
function objectText({ provider = '', data, type, namespace = '', name }: ResourceReference): string {
  return `${provider}/${data}/${type}/${namespace}/${name}`
}
