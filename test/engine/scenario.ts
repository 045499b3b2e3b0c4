import { finalPhases, type PlanSpec, type PlanStatus } from '@hykube/machinery/plan-api'
import { TestEngine, type TestEngineOptions, TestSim } from '@hykube/server/app/testing'
import type { TestAnswer } from '@hykube/server/http/testing'
import { planStatusOf } from '@hykube/server/plans'
import { onTestFinished } from 'vitest'
import { World } from './world.ts'

/** A change of a plan, as `plans/<n>/changes` gives it. */
export interface Change {
  readonly address: string
  readonly action: string
  readonly order?: string
  readonly reason?: string
  readonly message?: string
  readonly name: string
  readonly namespace: string
  readonly deposed?: string
  readonly outcome?: { readonly result: string; readonly message?: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of every kind
  readonly change?: any
  readonly diagnostics?: readonly { readonly summary: string; readonly detail?: string; readonly field?: string }[]
}

export type Spec = Readonly<Record<string, unknown>>

export interface WriteOptions {
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly user?: string
}

/** A server with a simulated cloud, and words for what people do with it. Objects are called by address: `sim_network.main`. */
export class Scenario {
  readonly engine: TestEngine
  readonly world: World
  /** Where objects and plans are, unless a namespace is given. */
  readonly namespace: string
  #plans = 0

  private constructor(engine: TestEngine, world: World, namespace = 'default') {
    this.engine = engine
    this.world = world
    this.namespace = namespace
  }

  static async open(sim: TestSim, options: TestEngineOptions = {}): Promise<Scenario> {
    const scenario = new Scenario(await TestEngine.open(sim, options), new World(sim.world))
    return scenario
  }

  /** The same server and cloud, in another namespace, which is created. Cheaper than another server. */
  async within(namespace: string): Promise<Scenario> {
    const answer = await this.engine.api.post('/api/v1/namespaces', { metadata: { name: namespace } })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
    return new Scenario(this.engine, this.world, namespace)
  }

  async close(): Promise<void> {
    await this.engine.close()
    this.world.close()
  }

  /** Writes an object: creates it, or gives it another specification. Gives the server's answer, whatever it is. */
  async tryWrite(address: string, spec: Spec, options: WriteOptions = {}): Promise<TestAnswer> {
    const { path, name } = this.#place(address, options.namespace)
    const metadata = { name, labels: options.labels, annotations: options.annotations }
    const headers = { ...asUser(options.user), 'content-type': 'application/json' }
    const old = await this.engine.api.get(`${path}/${name}`)
    if (old.status === 404) return this.engine.api.send('POST', path, { body: { metadata, spec }, headers })
    const { metadata: before } = old.document
    const merged = {
      ...before,
      ...(options.labels && { labels: options.labels }),
      ...(options.annotations && { annotations: options.annotations }),
    }
    return this.engine.api.send('PUT', `${path}/${name}`, {
      body: { ...old.document, metadata: merged, spec },
      headers,
    })
  }

  async write(address: string, spec: Spec, options: WriteOptions = {}): Promise<void> {
    const answer = await this.tryWrite(address, spec, options)
    if (answer.status >= 300) throw new Error(`${address} was refused: ${JSON.stringify(answer.document)}`)
  }

  /** Creates an object that does not exist. */
  async create(address: string, spec: Spec): Promise<void> {
    const { path, name } = this.#place(address)
    const answer = await this.engine.api.post(path, { metadata: { name }, spec })
    if (answer.status >= 300) throw new Error(`${address} was refused: ${JSON.stringify(answer.document)}`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  async read(address: string, namespace?: string): Promise<any> {
    const { path, name } = this.#place(address, namespace)
    const { status, document } = await this.engine.api.get(`${path}/${name}`)
    return status === 404 ? undefined : document
  }

  /** The attributes that the provider returned. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values of every kind
  async attributes(address: string, namespace?: string): Promise<any> {
    return (await this.read(address, namespace))?.status?.attributes
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  async instances(address: string): Promise<any[]> {
    const { path, name } = this.#place(address)
    return (await this.engine.api.get(`${path}/${name}/instances`)).document.items
  }

  delete(address: string, namespace?: string): Promise<TestAnswer> {
    const { path, name } = this.#place(address, namespace)
    return this.engine.api.delete(`${path}/${name}`)
  }

  undelete(address: string): Promise<TestAnswer> {
    const { path, name } = this.#place(address)
    return this.engine.api.post(`${path}/${name}/undelete`, {})
  }

  /** Writes a Secret or a ConfigMap. */
  async keep(kind: 'secrets' | 'configmaps', name: string, data: Readonly<Record<string, string>>): Promise<void> {
    const path = `/api/v1/namespaces/default/${kind}`
    const field = kind === 'secrets' ? { stringData: data } : { data }
    const old = await this.engine.api.get(`${path}/${name}`)
    const answer =
      old.status === 404
        ? await this.engine.api.post(path, { metadata: { name }, ...field })
        : await this.engine.api.put(`${path}/${name}`, { ...old.document, ...field })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
  }

  /** Gives the Provider or a ProviderConfig another configuration. */
  async configure(config: Spec, name?: string): Promise<void> {
    const path =
      name === undefined
        ? '/apis/hykube.io/v1alpha1/providers'
        : '/apis/hykube.io/v1alpha1/namespaces/default/providerconfigs'
    const own = name ?? 'sim'
    const old = await this.engine.api.get(`${path}/${own}`)
    const spec = name === undefined ? { source: 'hykube/sim', config } : { provider: 'sim', config }
    const answer =
      old.status === 404
        ? await this.engine.api.post(path, { metadata: { name: own }, spec })
        : await this.engine.api.put(`${path}/${own}`, { ...old.document, spec })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
  }

  /** Makes a plan and waits until it is made. */
  async plan(
    spec: PlanSpec = {},
    options: { readonly namespace?: string; readonly user?: string } = {},
  ): Promise<MadePlan> {
    const name = `p${++this.#plans}`
    const namespace = options.namespace ?? this.namespace
    const path = `/apis/hykube.io/v1alpha1/namespaces/${namespace}/plans`
    const made = new MadePlan(this.engine, namespace, name)
    const answer = await this.engine.api.send('POST', path, {
      body: { metadata: { name }, spec },
      headers: asUser(options.user),
    })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
    await made.reaches(({ phase }) => phase === 'Planned' || finalPhases.has(phase))
    return made
  }

  #place(address: string, namespace = this.namespace): { readonly path: string; readonly name: string } {
    return place(address, namespace)
  }

  /** Makes a plan, approves it and waits until it was carried out. */
  async apply(spec: PlanSpec = {}): Promise<MadePlan> {
    const plan = await this.plan(spec)
    await plan.apply()
    return plan
  }
}

/** A plan that was made. */
export class MadePlan {
  readonly name: string
  readonly #engine: TestEngine
  readonly #namespace: string

  constructor(engine: TestEngine, namespace: string, name: string) {
    this.#engine = engine
    this.#namespace = namespace
    this.name = name
  }

  get path(): string {
    return `/apis/hykube.io/v1alpha1/namespaces/${this.#namespace}/plans/${this.name}`
  }

  async status(): Promise<PlanStatus> {
    return planStatusOf((await this.#engine.api.get(this.path)).document)
  }

  async phase(): Promise<string> {
    return (await this.status()).phase
  }

  async changes(): Promise<Change[]> {
    const all: Change[] = []
    for (let next = ''; ; ) {
      const { document } = await this.#engine.api.get(`${this.path}/changes${next === '' ? '' : `?continue=${next}`}`)
      all.push(...(document.items as Change[]))
      next = document.metadata.continue ?? ''
      if (next === '') return all
    }
  }

  /** Each change in a line: `create sim_network.main`, with the reason where there is one. */
  async lines(): Promise<string[]> {
    return (await this.changes()).map(lineOf).sort()
  }

  async change(address: string): Promise<Change> {
    const found = (await this.changes()).find((each) => each.address === address && each.deposed === undefined)
    if (found === undefined) throw new Error(`the plan has no change of ${address}: ${(await this.lines()).join(', ')}`)
    return found
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  async json(): Promise<any> {
    return (await this.#engine.api.get(`${this.path}/json`)).document
  }

  decide(decision: 'Approved' | 'Rejected', user?: string): Promise<TestAnswer> {
    return this.#engine.api.send('PUT', `${this.path}/approval`, { body: { decision }, headers: asUser(user) })
  }

  cancel(): Promise<TestAnswer> {
    return this.#engine.api.put(`${this.path}/cancel`, {})
  }

  /** Approves it, if there is anything to approve, and waits until it was carried out. Gives its phase. */
  async apply(): Promise<string> {
    if ((await this.phase()) !== 'Planned') return this.phase()
    const answer = await this.decide('Approved')
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
    return this.ends()
  }

  /** Waits until nothing will happen to it any more. */
  async ends(): Promise<string> {
    return (await this.reaches(({ phase }) => finalPhases.has(phase))).phase
  }

  /** Waits until it stands so. */
  reaches(wanted: (status: PlanStatus) => boolean): Promise<PlanStatus> {
    const { hub } = this.#engine.parts
    return new Promise((resolve, reject) => {
      const look = async () => {
        const { status, document } = await this.#engine.api.get(this.path)
        if (status !== 200) return
        const now = planStatusOf(document)
        if (!wanted(now)) return
        stop()
        resolve(now)
      }
      const stop = hub.listen((changes) => {
        if (changes.some(({ place: at }) => at.resource === 'plans' && at.name === this.name)) look().catch(reject)
      })
      look().catch(reject)
    })
  }
}

/** A change in a line. */
export function lineOf({ address, action, order, reason, deposed }: Change): string {
  const how = action === 'replace' && order !== 'delete-first' ? `${action} (${order})` : action
  const which = deposed === undefined ? '' : ' (deposed)'
  return `${how} ${address}${which}${reason === undefined ? '' : `: ${reason}`}`
}

function place(address: string, namespace: string): { readonly path: string; readonly name: string } {
  const [, data, type = '', name = ''] = /^(data\.)?(\w+)\.(.+)$/.exec(address) ?? []
  const group = data === undefined ? 'sim.hykube.io' : 'data.sim.hykube.io'
  const plural = `${type.replaceAll('_', '-')}${data === undefined ? 's' : ''}`
  return { path: `/apis/${group}/v1/namespaces/${namespace}/${plural}`, name }
}

function asUser(user: string | undefined): Readonly<Record<string, string>> {
  return user === undefined ? {} : { 'impersonate-user': user }
}

/** The simulated cloud for the tests of a file, and a scenario for each of them. */
export class SharedSim {
  #sim: TestSim | undefined

  async start(): Promise<void> {
    this.#sim = await TestSim.start()
  }

  async stop(): Promise<void> {
    await this.#sim?.close()
  }

  get sim(): TestSim {
    return this.#sim!
  }

  async scenario(options: TestEngineOptions = {}): Promise<Scenario> {
    const scenario = await Scenario.open(this.sim, options)
    onTestFinished(() => scenario.close())
    return scenario
  }
}
