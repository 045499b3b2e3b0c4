import { abortable } from '@hykube/machinery/base'
import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { BatchRpcs, ExtensionsClient, ProviderClient } from '@hykube/tfplugin/protocol'
import type { ProviderPort } from '../plan/index.ts'
import { ProviderFailure } from '../provider/index.ts'
import { BatchSize } from './batch-size.ts'

/**
 * The calls of one process of a provider. Those about one type that come at the same time go in one call, where the provider says
 * that this costs it less and it is quick with them; each is answered by itself.
 */
export function batchingPort(client: ProviderClient, extensions: ExtensionsClient | undefined): ProviderPort {
  if (extensions === undefined) return client
  const read = new Batch('readMany', extensions, (request, options) => client.readResource(request, options))
  const plan = new Batch('planMany', extensions, (request, options) => client.planResourceChange(request, options))
  const apply = new Batch('applyMany', extensions, (request, options) => client.applyResourceChange(request, options))
  const validate = new Batch('validateMany', extensions, (request) => client.validateResourceConfig(request))
  return {
    validateResourceConfig: (request) => validate.ask(request),
    validateDataResourceConfig: (request, options) => client.validateDataResourceConfig(request, options),
    upgradeResourceState: (request, options) => client.upgradeResourceState(request, options),
    upgradeResourceIdentity: (request, options) => client.upgradeResourceIdentity(request, options),
    importResourceState: (request, options) => client.importResourceState(request, options),
    moveResourceState: (request, options) => client.moveResourceState(request, options),
    readDataSource: (request, options) => client.readDataSource(request, options),
    readResource: (request, options) => read.ask(request, options),
    planResourceChange: (request, options) => plan.ask(request, options),
    applyResourceChange: (request, options) => apply.ask(request, options),
  }
}

interface Asked<K extends keyof BatchRpcs> {
  readonly request: BatchRpcs[K]['request']
  readonly options: CallOptions | undefined
  readonly answer: (answer: BatchRpcs[K]['response'] | Promise<BatchRpcs[K]['response']>) => void
  readonly fail: (error: unknown) => void
}

type SingleCall<K extends keyof BatchRpcs> = (
  request: BatchRpcs[K]['request'],
  options: CallOptions | undefined,
) => Promise<BatchRpcs[K]['response']>

class Batch<K extends keyof BatchRpcs> {
  readonly #name: K
  readonly #extensions: ExtensionsClient
  readonly #single: SingleCall<K>
  readonly #types = new Map<string, OfType<K>>()

  constructor(name: K, extensions: ExtensionsClient, single: SingleCall<K>) {
    this.#name = name
    this.#extensions = extensions
    this.#single = single
  }

  /** Who gives up a call that went with others stops waiting for it; the others are answered all the same. */
  ask(request: BatchRpcs[K]['request'], options?: CallOptions): Promise<BatchRpcs[K]['response']> {
    if (this.#extensions.extensions.get(request.typeName)?.[this.#name] !== true) return this.#single(request, options)
    const type = this.#of(request.typeName)
    const answered = new Promise<BatchRpcs[K]['response']>((answer, fail) => {
      type.waiting.push({ request, options, answer, fail })
      if (type.waiting.length === 1) setImmediate(() => this.#send(type))
      else if (type.waiting.length === type.size.most) this.#send(type)
    })
    return abortable(answered, options?.signal)
  }

  #of(name: string): OfType<K> {
    let type = this.#types.get(name)
    if (type === undefined) {
      type = { size: new BatchSize(), waiting: [] }
      this.#types.set(name, type)
    }
    return type
  }

  #send(type: OfType<K>): void {
    const asked = type.waiting.splice(0)
    if (type.size.goTogether(asked.length)) void this.#sendTogether(asked, type.size)
    else for (const { request, options, answer } of asked) answer(this.#single(request, options))
  }

  async #sendTogether(asked: readonly Asked<K>[], size: BatchSize): Promise<void> {
    const begun = performance.now()
    try {
      const many = this.#extensions[this.#name] as (requests: readonly unknown[]) => ReturnType<ExtensionsClient[K]>
      const outcomes = await many(asked.map(({ request }) => request))
      for (const [index, { answer, fail }] of asked.entries()) {
        const outcome = outcomes[index]
        if (outcome?.kind === 'answered') answer(outcome.answer as BatchRpcs[K]['response'])
        else fail(new ProviderFailure('ProviderMisbehaved', outcome?.reason ?? leftOut))
      }
    } catch (error) {
      for (const { fail } of asked) fail(error)
    } finally {
      size.took(asked.length, performance.now() - begun)
    }
  }
}

/** What waits to be asked about one type. */
interface OfType<K extends keyof BatchRpcs> {
  readonly size: BatchSize
  readonly waiting: Asked<K>[]
}

const leftOut = 'the provider left it out of the answers to a batch'
