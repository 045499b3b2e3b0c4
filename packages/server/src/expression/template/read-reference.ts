import { attributeStep, indexStep, keyStep, type PathStep } from '@hykube/tfplugin/value'
import { foreignText, isForeign } from './foreign-names.ts'
import type { Chain, ChainStep } from './read-chain.ts'
import { chainOf } from './read-chain.ts'
import type { InstanceSelector, Reference } from './reference.ts'
import type { Node, Syntax } from './syntax.ts'
import { TemplateError } from './template.ts'

/** A reference at the beginning of a chain. */
export interface ReadReference {
  readonly reference: Reference
  /** What computes the instance's key. */
  readonly key?: Node
  /** How many steps of the chain the reference is. */
  readonly length: number
}

/**
 * Reads the reference that a chain begins with, a name that is no variable of a macro. Throws TemplateError, with places in
 * the expression.
 */
export function readReference(chain: Chain, syntax: Syntax, isLocal: (name: string) => boolean): ReadReference {
  const name = chain.root.args as string
  const reader = new Reader(chain, (index) => ownKey(index, syntax, isLocal))
  switch (name) {
    case 'each':
      return readEach(reader)
    case 'count':
      if (reader.name('index') !== 'index') throw reader.problem('of count there is only count.index')
      return { reference: { kind: 'count' }, length: reader.at }
    case 'secret':
    case 'configmap':
      return readKey(name, reader)
    case 'provider':
      return readFromProvider(reader)
    case 'data':
      return readResource(reader, reader.name('data.TYPE.NAME'), { data: true })
    default:
      if (isForeign(name)) throw reader.problem(foreignText(name))
      return readResource(reader, name, { data: false })
  }
}

type OwnKey = 'count.index' | 'each.key'

class Reader {
  readonly #chain: Chain
  /** How an index is the key of the instance that is evaluated, if it is. */
  readonly ownKey: (index: Node) => OwnKey | undefined
  /** How many steps were read. */
  at = 0

  constructor(chain: Chain, ownKey: (index: Node) => OwnKey | undefined) {
    this.#chain = chain
    this.ownKey = ownKey
  }

  get next(): ChainStep | undefined {
    return this.#chain.steps[this.at]
  }

  problem(message: string): TemplateError {
    return new TemplateError(message, this.#chain.root.start)
  }

  /** Takes a name behind a dot or in brackets. */
  name(example: string): string {
    const access = this.next?.access
    if (access?.kind !== 'fixed' || typeof access.key !== 'string' || access.key === '') {
      const written = this.#chain.root.args as string
      throw this.problem(`${written} alone is no reference: write ${example}`)
    }
    this.at++
    return access.key
  }

  /** Takes `.name`, `["key"]` and `[0]` as long as there are such. */
  path(): PathStep[] {
    const path: PathStep[] = []
    for (let access = this.next?.access; access?.kind === 'fixed'; access = this.next?.access) {
      path.push(stepOf(access))
      this.at++
    }
    return path
  }
}

function stepOf({ key, dot }: { readonly key: string | number; readonly dot: boolean }): PathStep {
  if (typeof key === 'number') return indexStep(key)
  return dot ? attributeStep(key) : keyStep(key)
}

function readEach(reader: Reader): ReadReference {
  const part = reader.name('each.key or each.value')
  if (part !== 'key' && part !== 'value') throw reader.problem(`each has key and value, and no ${JSON.stringify(part)}`)
  return { reference: { kind: 'each', part, path: reader.path() }, length: reader.at }
}

function readKey(kind: 'secret' | 'configmap', reader: Reader): ReadReference {
  const example = `${kind}["NAME"].KEY`
  const name = splitName(reader.name(example), reader)
  const key = reader.name(example)
  return { reference: { kind, ...name, key }, length: reader.at }
}

function readFromProvider(reader: Reader): ReadReference {
  const provider = reader.name('provider["NAME"].TYPE.NAME')
  const word = reader.name('provider["NAME"].TYPE.NAME')
  const data = word === 'data'
  const type = data ? reader.name('provider["NAME"].data.TYPE.NAME') : word
  return readResource(reader, type, { provider, data })
}

function readResource(
  reader: Reader,
  type: string,
  origin: { readonly provider?: string; readonly data: boolean },
): ReadReference {
  const name = splitName(reader.name(`${origin.data ? 'data.' : ''}${type}.NAME`), reader)
  const { instance, key } = readInstance(reader)
  const path = reader.path()
  return {
    reference: { kind: 'resource', ...origin, type, ...name, instance, path },
    ...(key !== undefined && { key }),
    length: reader.at,
  }
}

function splitName(text: string, reader: Reader): { readonly namespace?: string; readonly name: string } {
  const [first = '', second, ...more] = text.split('/')
  if (second === undefined) return { name: first }
  if (first === '' || second === '' || more.length > 0)
    throw reader.problem(`${JSON.stringify(text)} is no name: write "NAME" or "NAMESPACE/NAME"`)
  return { namespace: first, name: second }
}

// A bracket right behind the name of an object is the key of an instance, never an attribute.
function readInstance(reader: Reader): { readonly instance: InstanceSelector; readonly key?: Node } {
  const access = reader.next?.access
  if (access === undefined || access.kind === 'optional' || (access.kind === 'fixed' && access.dot))
    return { instance: { kind: 'none' } }
  reader.at++
  if (access.kind === 'splat') return { instance: { kind: 'all' } }
  if (access.kind === 'fixed') return { instance: { kind: 'key', key: access.key } }
  const by = reader.ownKey(access.index)
  return by === undefined ? { instance: { kind: 'dynamic' }, key: access.index } : { instance: { kind: 'same', by } }
}

function ownKey(index: Node, syntax: Syntax, isLocal: (name: string) => boolean): OwnKey | undefined {
  const chain = chainOf(index, syntax)
  const [step, ...more] = chain.steps
  if (chain.root.op !== 'id' || step?.access.kind !== 'fixed' || more.length > 0) return undefined
  if (isLocal(chain.root.args as string)) return undefined
  const text = `${chain.root.args as string}.${step.access.key}`
  return text === 'count.index' || text === 'each.key' ? text : undefined
}
