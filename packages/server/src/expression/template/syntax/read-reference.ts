import { attributeStep, indexStep, keyStep, type PathStep } from '@hykube/tfplugin/value'
import type { Expr, Ident } from '../../cel/syntax/syntax.ts'
import type { ParsedExpression } from './parse-expression.ts'
import type { Chain, ChainStep } from './read-chain.ts'
import { chainOf } from './read-chain.ts'
import type { InstanceSelector, Reference } from './reference.ts'
import { TemplateError } from './template.ts'
import { isTerraformName, terraformNameText } from './terraform-names.ts'

/** A reference at the start of an access chain. */
export interface ReadReference {
  readonly reference: Reference
  /** The expression of a computed instance key. */
  readonly key?: Expr
  /** The number of steps that belong to the reference. */
  readonly length: number
}

/**
 * Parses the reference at the start of a chain whose root is not a variable of a macro. Throws TemplateError with a position in
 * the expression.
 */
export function readReference(
  chain: Chain,
  isSplat: ParsedExpression['isSplat'],
  isLocal: (name: string) => boolean,
): ReadReference {
  const { name } = chain.root as Ident
  const reader = new Reader(chain, (index) => ownKey(index, isSplat, isLocal))
  switch (name) {
    case 'each':
      return readEach(reader)
    case 'count':
      if (reader.name('index') !== 'index') throw reader.problem('count has only the attribute index')
      return { reference: { kind: 'count' }, length: reader.at }
    case 'secret':
    case 'configmap':
      return readKey(name, reader)
    case 'provider':
      return readFromProvider(reader)
    case 'data':
      return readResource(reader, reader.name('data.TYPE.NAME'), { data: true })
    default:
      if (isTerraformName(name)) throw reader.problem(terraformNameText(name))
      return readResource(reader, name, { data: false })
  }
}

type OwnKey = 'count.index' | 'each.key'

class Reader {
  readonly #chain: Chain
  /** Recognizes an index that is the key of the current instance. */
  readonly ownKey: (index: Expr) => OwnKey | undefined
  /** The number of consumed steps. */
  at = 0

  constructor(chain: Chain, ownKey: (index: Expr) => OwnKey | undefined) {
    this.#chain = chain
    this.ownKey = ownKey
  }

  get next(): ChainStep | undefined {
    return this.#chain.steps[this.at]
  }

  problem(message: string): TemplateError {
    return new TemplateError(message, this.#chain.root.start)
  }

  /** Consumes a name after a dot or in brackets. */
  name(example: string): string {
    const access = this.next?.access
    if (access?.kind !== 'fixed' || typeof access.key !== 'string' || access.key === '') {
      const written = (this.#chain.root as Ident).name
      throw this.problem(`${written} is not a complete reference: write ${example}`)
    }
    this.at++
    return access.key
  }

  /** Consumes consecutive steps `.name`, `["key"]` and `[0]`. */
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
  if (part !== 'key' && part !== 'value')
    throw reader.problem(`each has the attributes key and value, not ${JSON.stringify(part)}`)
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
    throw reader.problem(`${JSON.stringify(text)} is not a valid name: write "NAME" or "NAMESPACE/NAME"`)
  return { namespace: first, name: second }
}

// A bracket directly after the name of an object is an instance key, never an attribute, as in Terraform.
function readInstance(reader: Reader): { readonly instance: InstanceSelector; readonly key?: Expr } {
  const access = reader.next?.access
  if (access === undefined || access.kind === 'optional' || (access.kind === 'fixed' && access.dot))
    return { instance: { kind: 'none' } }
  reader.at++
  if (access.kind === 'splat') return { instance: { kind: 'all' } }
  if (access.kind === 'fixed') return { instance: { kind: 'key', key: access.key } }
  const by = reader.ownKey(access.index)
  return by === undefined ? { instance: { kind: 'dynamic' }, key: access.index } : { instance: { kind: 'same', by } }
}

function ownKey(
  index: Expr,
  isSplat: ParsedExpression['isSplat'],
  isLocal: (name: string) => boolean,
): OwnKey | undefined {
  const chain = chainOf(index, isSplat)
  const { root, steps } = chain
  const [step, ...more] = steps
  if (root.kind !== 'ident' || step?.access.kind !== 'fixed' || more.length > 0) return undefined
  if (isLocal(root.name)) return undefined
  const text = `${root.name}.${step.access.key}`
  return text === 'count.index' || text === 'each.key' ? text : undefined
}
