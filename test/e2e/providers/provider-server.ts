import { client, type ProgramOptions, type ProgramResult, startServer, type TestServer } from '../server.ts'

/** How a change of a plan came out. */
export interface PlannedChange {
  readonly action: string
  readonly address: string
  readonly reason?: string
  readonly message?: string
  readonly diagnostics?: readonly object[]
  readonly outcome?: { readonly result: string; readonly message?: string }
}

/** A plan that has come to its end. */
export interface FinishedPlan {
  readonly phase: string
  readonly summary: Readonly<Record<string, number>>
  /** By address. */
  readonly changes: ReadonlyMap<string, PlannedChange>
}

/** A server in a process of its own, asked through kubectl. */
export class ProviderServer {
  readonly server: TestServer
  readonly kubectl: (args: readonly string[] | string, options?: ProgramOptions) => Promise<ProgramResult>
  #plans = 0

  private constructor(server: TestServer, kubectl: string) {
    this.server = server
    this.kubectl = client(kubectl, server)
  }

  static async start(kubectl: string, ...args: readonly string[]): Promise<ProviderServer> {
    return new ProviderServer(await startServer({ arguments: ['--store', 'memory:', ...args] }), kubectl)
  }

  /** Runs kubectl and returns its output; throws if it fails. */
  async done(args: readonly string[] | string, input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.kubectl(args, input === undefined ? {} : { input })
    if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`)
    return stdout
  }

  // biome-ignore lint/suspicious/noExplicitAny: objects of any kind, looked at by tests.
  async get(...words: readonly string[]): Promise<any> {
    return JSON.parse(await this.done(['get', ...words, '-o', 'json']))
  }

  apply(...documents: readonly object[]): Promise<string> {
    const list = { apiVersion: 'v1', kind: 'List', items: documents }
    return this.done(['apply', '-f', '-'], JSON.stringify(list))
  }

  /** Writes a Provider and waits for its kinds. */
  async provide(name: string, spec: object): Promise<void> {
    await this.apply(providerOf(name, spec))
    await this.done(`wait --for=condition=Ready provider/${name} --timeout=60s`)
  }

  /** Waits until a condition of a Provider has this reason; gives the condition. */
  async condition(provider: string, type: string, reason: string): Promise<{ status: string; message: string }> {
    const path = `{.status.conditions[?(@.type=="${type}")].reason}`
    await this.done(['wait', `provider/${provider}`, `--for=jsonpath=${path}=${reason}`, '--timeout=60s'])
    const { status } = await this.get('provider', provider)
    return status.conditions.find((each: { type: string }) => each.type === type)
  }

  /** Plans, approves and applies, and waits for the end. */
  async plan(spec: object = {}, namespace = 'default'): Promise<FinishedPlan> {
    this.#plans++
    const name = `plan-${this.#plans}`
    const plan = { apiVersion: 'hykube.io/v1alpha1', kind: 'Plan', metadata: { name, namespace } }
    await this.done(['create', '-f', '-'], JSON.stringify({ ...plan, spec: { approval: 'Automatic', ...spec } }))
    for (;;) {
      const { status } = await this.get('plan', name, '-n', namespace)
      if (ends.includes(status?.phase)) return { ...status, changes: await this.#changes(namespace, name) }
    }
  }

  remove(): Promise<void> {
    return this.server.remove()
  }

  async #changes(namespace: string, plan: string): Promise<ReadonlyMap<string, PlannedChange>> {
    const path = `/apis/hykube.io/v1alpha1/namespaces/${namespace}/plans/${plan}/changes`
    const { items } = JSON.parse(await this.done(['get', '--raw', path])) as { items: PlannedChange[] }
    // Tests have Providers with the same types side by side, and objects with names of their own.
    return new Map(items.map((change) => [change.address.replace(/^provider\["[^"]*"\]\./, ''), change]))
  }
}

/** A Provider. */
export function providerOf(name: string, spec: object): object {
  return { apiVersion: 'hykube.io/v1alpha1', kind: 'Provider', metadata: { name }, spec }
}

/** An object of a provider's kind. */
export function objectOf(group: string, kind: string, name: string, spec: object, annotations: object = {}): object {
  return {
    apiVersion: `${group}.hykube.io/v1`,
    kind,
    metadata: { name, namespace: 'default', annotations },
    spec,
  }
}

const ends = [
  'Applied',
  'NoChanges',
  'Blocked',
  'Failed',
  'PartiallyApplied',
  'Stale',
  'Canceled',
  'Expired',
  'Rejected',
]
