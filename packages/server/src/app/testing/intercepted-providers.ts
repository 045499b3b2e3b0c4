import type { AccessSession, ConfiguredProviders, ProviderAccess, ProviderProblem } from '../../evaluation/index.ts'

/** An intercepted call to a provider. */
export interface InterceptedCall {
  readonly method: string
  readonly request: { readonly typeName?: string } & Readonly<Record<string, unknown>>
  /** Makes the call. */
  go(): Promise<unknown>
}

/** Answers a call instead of the provider; undefined lets the call through. */
export type Interceptor = (call: InterceptedCall) => Promise<unknown> | undefined

/** Providers whose calls a test can observe and answer. */
export class InterceptedProviders implements ConfiguredProviders {
  /** The calls so far, such as `planResourceChange sim_network`. */
  readonly calls: string[] = []
  intercept: Interceptor = () => undefined
  /** Changes the capabilities of a session. */
  alter: (session: AccessSession) => AccessSession = (session) => session
  readonly #real: ConfiguredProviders
  readonly #watchedAccess = new WeakMap<ProviderAccess, ProviderAccess>()

  constructor(real: ConfiguredProviders) {
    this.#real = real
  }

  references(...wanted: Parameters<ConfiguredProviders['references']>): ReturnType<ConfiguredProviders['references']> {
    return this.#real.references(...wanted)
  }

  async access(...wanted: Parameters<ConfiguredProviders['access']>): Promise<ProviderAccess | ProviderProblem> {
    const access = await this.#real.access(...wanted)
    if ('problem' in access) return access
    // One configured provider stays one object, as with the real ones.
    const known = this.#watchedAccess.get(access)
    if (known !== undefined) return known
    const watched: ProviderAccess = {
      ...access,
      port: this.#watched(access.port),
      use: (work) => access.use((session) => work(this.alter({ ...session, port: this.#watched(session.port) }))),
    }
    this.#watchedAccess.set(access, watched)
    return watched
  }

  isUnsent(error: unknown): boolean {
    return this.#real.isUnsent(error)
  }

  isFailure(error: unknown): boolean {
    return this.#real.isFailure(error)
  }

  isFinished(error: unknown): boolean {
    return this.#real.isFinished(error)
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
