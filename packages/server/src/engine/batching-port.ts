import type { BatchRpcs, ExtensionsClient, ProviderClient } from '@hykube/tfplugin/protocol'
import type { ProviderPort } from '../plan/index.ts'

/**
 * The calls of one process of a provider. Those that come at the same time go in one call, where the provider says that this
 * costs it less; each is answered by itself.
 */
export function batchingPort(client: ProviderClient, extensions: ExtensionsClient | undefined): ProviderPort {
  if (extensions === undefined) return client
  const read = new Batch('readMany', extensions, (request) => client.readResource(request))
  const plan = new Batch('planMany', extensions, (request) => client.planResourceChange(request))
  const apply = new Batch('applyMany', extensions, (request) => client.applyResourceChange(request))
  return {
    validateResourceConfig: (request, options) => client.validateResourceConfig(request, options),
    validateDataResourceConfig: (request, options) => client.validateDataResourceConfig(request, options),
    upgradeResourceState: (request, options) => client.upgradeResourceState(request, options),
    upgradeResourceIdentity: (request, options) => client.upgradeResourceIdentity(request, options),
    importResourceState: (request, options) => client.importResourceState(request, options),
    moveResourceState: (request, options) => client.moveResourceState(request, options),
    readDataSource: (request, options) => client.readDataSource(request, options),
    readResource: (request) => read.ask(request),
    planResourceChange: (request) => plan.ask(request),
    applyResourceChange: (request) => apply.ask(request),
  }
}

interface Asked<K extends keyof BatchRpcs> {
  readonly request: BatchRpcs[K]['request']
  readonly answer: (answer: BatchRpcs[K]['response'] | Promise<BatchRpcs[K]['response']>) => void
  readonly fail: (error: unknown) => void
}

class Batch<K extends keyof BatchRpcs> {
  readonly #name: K
  readonly #extensions: ExtensionsClient
  readonly #single: (request: BatchRpcs[K]['request']) => Promise<BatchRpcs[K]['response']>
  #waiting: Asked<K>[] = []

  constructor(
    name: K,
    extensions: ExtensionsClient,
    single: (request: BatchRpcs[K]['request']) => Promise<BatchRpcs[K]['response']>,
  ) {
    this.#name = name
    this.#extensions = extensions
    this.#single = single
  }

  ask(request: BatchRpcs[K]['request']): Promise<BatchRpcs[K]['response']> {
    if (this.#extensions.extensions.get(request.typeName)?.[this.#name] !== true) return this.#single(request)
    return new Promise((answer, fail) => {
      this.#waiting.push({ request, answer, fail })
      if (this.#waiting.length === 1) setImmediate(() => this.#send())
      else if (this.#waiting.length === mostInBatch) this.#send()
    })
  }

  #send(): void {
    const asked = this.#waiting
    this.#waiting = []
    if (asked.length >= fewestInBatch) void this.#sendTogether(asked)
    else for (const { request, answer } of asked) answer(this.#single(request))
  }

  async #sendTogether(asked: readonly Asked<K>[]): Promise<void> {
    try {
      const many = this.#extensions[this.#name] as (requests: readonly unknown[]) => ReturnType<ExtensionsClient[K]>
      const outcomes = await many(asked.map(({ request }) => request))
      for (const [index, { answer, fail }] of asked.entries()) {
        const outcome = outcomes[index]
        if (outcome?.kind === 'answered') answer(outcome.answer as BatchRpcs[K]['response'])
        else fail(new Error(outcome?.reason ?? 'the provider left it out of the answers to a batch'))
      }
    } catch (error) {
      for (const { fail } of asked) fail(error)
    }
  }
}

// For a few, single calls are as quick, and one slow answer holds up no other.
const fewestInBatch = 4
const mostInBatch = 200
