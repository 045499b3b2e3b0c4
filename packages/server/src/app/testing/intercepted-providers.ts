import type { EngineProviders } from '../../engine/index.ts'
import type { AccessSession, ProviderAccess, ProviderProblem } from '../../plan/index.ts'

/** A call to a provider, before it is made. */
export interface InterceptedCall {
  readonly method: string
  readonly request: { readonly typeName?: string } & Readonly<Record<string, unknown>>
  /** Makes the call. */
  go(): Promise<unknown>
}

/** Answers a call in the provider's place, or gives nothing and lets it be made. */
export type Interceptor = (call: InterceptedCall) => Promise<unknown> | undefined

/** Providers whose calls a test sees and may answer itself. */
export class InterceptedProviders implements EngineProviders {
  /** The calls that were made, as `planResourceChange sim_network`. */
  readonly calls: string[] = []
  intercept: Interceptor = () => undefined
  /** Makes a provider one that promises something else. */
  alter: (session: AccessSession) => AccessSession = (session) => session
  readonly #real: EngineProviders

  constructor(real: EngineProviders) {
    this.#real = real
  }

  references(...wanted: Parameters<EngineProviders['references']>): ReturnType<EngineProviders['references']> {
    return this.#real.references(...wanted)
  }

  async access(...wanted: Parameters<EngineProviders['access']>): Promise<ProviderAccess | ProviderProblem> {
    const access = await this.#real.access(...wanted)
    if ('problem' in access) return access
    return {
      ...access,
      port: this.#watched(access.port),
      use: (work) => access.use((session) => work(this.alter({ ...session, port: this.#watched(session.port) }))),
    }
  }

  isUnsent(error: unknown): boolean {
    return this.#real.isUnsent(error)
  }

  isFailure(error: unknown): boolean {
    return this.#real.isFailure(error)
  }

  isOver(error: unknown): boolean {
    return this.#real.isOver(error)
  }

  describe(error: unknown): string {
    return this.#real.describe(error)
  }

  #watched(port: ProviderAccess['port']): ProviderAccess['port'] {
    return new Proxy(port, {
      get: (target, method: string) => {
        const call = target[method as keyof typeof target] as unknown
        if (typeof call !== 'function') return call
        return (request: InterceptedCall['request'], options: unknown) => {
          this.calls.push(`${method} ${request.typeName ?? ''}`)
          const go = () => call.call(target, request, options) as Promise<unknown>
          return this.intercept({ method, request, go }) ?? go()
        }
      },
    })
  }
}
