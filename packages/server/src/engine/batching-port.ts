import { abortable } from '@hykube/machinery/base'
import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { BatchRpcs, ExtensionsClient, ProviderClient } from '@hykube/tfplugin/protocol'
import type { ProviderPort } from '../plan/index.ts'
import { ProviderFailure } from '../provider/index.ts'

/**
 * The calls of one process of a provider. Those that come at the same time go in one call, where the provider says that this
 * costs it less; each is answered by itself.
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
  #waiting: Asked<K>[] = []

  constructor(name: K, extensions: ExtensionsClient, single: SingleCall<K>) {
    this.#name = name
    this.#extensions = extensions
    this.#single = single
  }

  /** Who gives up a call that went with others stops waiting for it; the others are answered all the same. */
  ask(request: BatchRpcs[K]['request'], options?: CallOptions): Promise<BatchRpcs[K]['response']> {
    if (this.#extensions.extensions.get(request.typeName)?.[this.#name] !== true) return this.#single(request, options)
    const answered = new Promise<BatchRpcs[K]['response']>((answer, fail) => {
      this.#waiting.push({ request, options, answer, fail })
      if (this.#waiting.length === 1) setImmediate(() => this.#send())
      else if (this.#waiting.length === mostInBatch) this.#send()
    })
    return abortable(answered, options?.signal)
  }

  #send(): void {
    const asked = this.#waiting
    this.#waiting = []
    if (asked.length >= fewestInBatch) void this.#sendTogether(asked)
    else for (const { request, options, answer } of asked) answer(this.#single(request, options))
  }

  async #sendTogether(asked: readonly Asked<K>[]): Promise<void> {
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
    }
  }
}

const leftOut = 'the provider left it out of the answers to a batch'

// For a few, single calls are as quick, and one slow answer holds up no other.
const fewestInBatch = 4

/** How many go in one call. */
export const mostInBatch = 200
