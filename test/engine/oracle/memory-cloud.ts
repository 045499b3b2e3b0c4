import { RunningProvider } from '@hykube/provider-sdk/provider'
import type { InterceptedCall, Interceptor } from '@hykube/server/app/testing'
import { Cloud } from '../../../providers/sim/src/cloud.ts'
import { simProvider } from '../../../providers/sim/src/provider.ts'
import type { World, WorldObject } from '../../../providers/sim/src/world.ts'
import { callName, failedAnswer } from '../faults.ts'

/** The simulated cloud in this process: it answers in the place of a provider process, so that thousands of plans are cheap. */
export class MemoryCloud implements World {
  /** Changes of this name fail, as `- sim_network`. */
  fault: string | undefined
  readonly #objects = new Map<string, { readonly type: string; readonly id: string; readonly object: WorldObject }>()
  readonly #service: ReturnType<RunningProvider['service']>

  private constructor() {
    const configure = () => new Cloud({ world: this, latency: 0, failureRate: 0, seed: 0 })
    this.#service = new RunningProvider({ ...simProvider, configure }, silent).service()
  }

  static async start(): Promise<MemoryCloud> {
    const cloud = new MemoryCloud()
    const nothing = { world: null, latency_ms: null, failure_rate: null, crash_after: null, seed: null }
    await cloud.#answers.configureProvider!({ terraformVersion: '1.12.0', config: nothing }, context)
    return cloud
  }

  get intercept(): Interceptor {
    return ({ method, request }) => {
      if (method === 'applyResourceChange' && callName(request) === this.fault)
        return Promise.resolve(failedAnswer(request))
      return this.#answers[method]!(request, context)
    }
  }

  all(): { readonly type: string; readonly id: string; readonly object: WorldObject }[] {
    return [...this.#objects.values()]
  }

  clear(): void {
    this.#objects.clear()
  }

  async read(type: string, id: string): Promise<WorldObject | undefined> {
    return this.#objects.get(`${type} ${id}`)?.object
  }

  readMany(type: string, ids: readonly string[]): Promise<readonly (WorldObject | undefined)[]> {
    return Promise.all(ids.map((id) => this.read(type, id)))
  }

  async writeMany(type: string, objects: readonly (readonly [string, WorldObject | undefined])[]): Promise<void> {
    for (const [id, object] of objects)
      if (object === undefined) this.#objects.delete(`${type} ${id}`)
      else this.#objects.set(`${type} ${id}`, { type, id, object })
  }

  async *list(wanted: string): AsyncGenerator<readonly [string, WorldObject]> {
    for (const { type, id, object } of this.#objects.values()) if (type === wanted) yield [id, object]
  }

  close(): void {}

  get #answers(): Record<string, (request: InterceptedCall['request'], options: typeof context) => Promise<unknown>> {
    return this.#service as never
  }
}

const context = { signal: new AbortController().signal, headers: [] }
const ignore = () => {}
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }
