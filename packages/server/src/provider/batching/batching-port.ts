import { abortable } from '@hykube/machinery/base'
import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { BatchRpcs, ExtensionsClient, ProviderClient } from '@hykube/tfplugin/protocol'
import type { ProviderPort } from '../../terraform/index.ts'
import { ProviderFailure } from '../process/provider-failure.ts'
import { BatchSize } from './batch-size.ts'

/**
 * The RPCs of one provider process. Concurrent requests for one type are batched if the provider declares the extension for
 * that type and answers batches quickly enough (BatchSize); each caller gets its own response or error.
 */
export function batchingPort(client: ProviderClient, extensions: ExtensionsClient | undefined): ProviderPort {
  if (extensions === undefined) return client
  const read = new Batch('readMany', extensions, (request, options) => client.readResource(request, options))
  const plan = new Batch('planMany', extensions, (request, options) => client.planResourceChange(request, options))
  const apply = new Batch('applyMany', extensions, (request, options) => client.applyResourceChange(request, options))
  const validate = new Batch('validateMany', extensions, (request) => client.validateResourceConfig(request))
  return {
    validateResourceConfig: (request) => validate.call(request),
    validateDataResourceConfig: (request, options) => client.validateDataResourceConfig(request, options),
    upgradeResourceState: (request, options) => client.upgradeResourceState(request, options),
    upgradeResourceIdentity: (request, options) => client.upgradeResourceIdentity(request, options),
    importResourceState: (request, options) => client.importResourceState(request, options),
    readDataSource: (request, options) => client.readDataSource(request, options),
    readResource: (request, options) => read.call(request, options),
    planResourceChange: (request, options) => plan.call(request, options),
    applyResourceChange: (request, options) => apply.call(request, options),
  }
}

interface PendingCall<K extends keyof BatchRpcs> {
  readonly request: BatchRpcs[K]['request']
  readonly options: CallOptions | undefined
  readonly resolve: (response: BatchRpcs[K]['response'] | Promise<BatchRpcs[K]['response']>) => void
  readonly reject: (error: unknown) => void
}

type SingleCall<K extends keyof BatchRpcs> = (
  request: BatchRpcs[K]['request'],
  options: CallOptions | undefined,
) => Promise<BatchRpcs[K]['response']>

class Batch<K extends keyof BatchRpcs> {
  readonly #name: K
  readonly #extensions: ExtensionsClient
  readonly #single: SingleCall<K>
  readonly #queues = new Map<string, TypeQueue<K>>()

  constructor(name: K, extensions: ExtensionsClient, single: SingleCall<K>) {
    this.#name = name
    this.#extensions = extensions
    this.#single = single
  }

  /** Aborting one call of a batch rejects only its own promise; the batch is not canceled, because others wait for it. */
  call(request: BatchRpcs[K]['request'], options?: CallOptions): Promise<BatchRpcs[K]['response']> {
    if (this.#extensions.extensions.get(request.typeName)?.[this.#name] !== true) return this.#single(request, options)
    const queue = this.#queueOf(request.typeName)
    const response = new Promise<BatchRpcs[K]['response']>((resolve, reject) => {
      queue.pending.push({ request, options, resolve, reject })
      // Calls of the same turn of the event loop share a batch; a full one is sent at once.
      if (queue.pending.length === 1) setImmediate(() => this.#flush(queue))
      else if (queue.pending.length === queue.size.max) this.#flush(queue)
    })
    return abortable(response, options?.signal)
  }

  #queueOf(typeName: string): TypeQueue<K> {
    let queue = this.#queues.get(typeName)
    if (queue === undefined) {
      queue = { size: new BatchSize(), pending: [] }
      this.#queues.set(typeName, queue)
    }
    return queue
  }

  #flush({ pending, size }: TypeQueue<K>): void {
    const calls = pending.splice(0)
    if (size.shouldBatch(calls.length)) void this.#sendBatch(calls, size)
    else for (const { request, options, resolve } of calls) resolve(this.#single(request, options))
  }

  async #sendBatch(calls: readonly PendingCall<K>[], size: BatchSize): Promise<void> {
    const start = performance.now()
    try {
      const many = this.#extensions[this.#name] as (requests: readonly unknown[]) => ReturnType<ExtensionsClient[K]>
      const outcomes = await many(calls.map(({ request }) => request))
      for (const [index, { resolve, reject }] of calls.entries()) {
        const outcome = outcomes[index]
        if (outcome?.kind === 'answered') resolve(outcome.answer as BatchRpcs[K]['response'])
        else reject(new ProviderFailure('ProviderMisbehaved', outcome?.reason ?? missingResponse))
      }
    } catch (error) {
      for (const { reject } of calls) reject(error)
    } finally {
      size.record(calls.length, performance.now() - start)
    }
  }
}

/** The calls for one resource type that are not sent yet. */
interface TypeQueue<K extends keyof BatchRpcs> {
  readonly size: BatchSize
  readonly pending: PendingCall<K>[]
}

const missingResponse = 'the provider returned fewer responses than the batch has requests'
