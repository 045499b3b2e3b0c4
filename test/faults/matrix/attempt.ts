import { type Fault, FaultyCloud, type Thing } from '../../fixtures/faulty-provider/cloud.ts'
import type { Case } from './cases.ts'
import { type MatrixServer, until } from './matrix-server.ts'

/** Result of a case. */
export interface Result {
  readonly case: Case
  /** Undefined on success. */
  readonly problem?: string
  /** Number of unknown outcomes that were resolved manually. */
  readonly unknown: number
  /** True when the server was killed at the intended step. */
  readonly isReached: boolean
}

/** Expected final state of one instance. */
type Wanted = Omit<Thing, 'id'>

/** One case: an object is written, planned and approved, and a fault occurs in the middle. */
export class Attempt {
  readonly case: Case
  readonly #cloud: FaultyCloud
  readonly #world: string
  readonly #name: string
  /**
   * Selects one of two variants where the case leaves it open: which half of a replacement, before or after the effect.
   */
  readonly #isSecond: boolean
  #unknown = 0
  #problem: Error | undefined
  isReached = false

  constructor(it: Case, index: number, world: string) {
    this.case = it
    this.#cloud = new FaultyCloud(world)
    this.#world = world
    this.#name = `r${index}`
    this.#isSecond = (index * 7919) % 2 === 1
  }

  /** Fault point at which the server stops, passed in its environment. */
  get faultPoint(): string {
    const { step } = this.case
    if (step === 'never' || step === 'in-flight') return ''
    if (step.endsWith('-wave')) return `${step} ${this.#name}`
    const address = `${this.#type}.${this.#name}${this.#isBatch ? '[2]' : ''}`
    if (step === 'recovering') return `${step} ${address}`
    // An existing object was created by a plan in another namespace, where it has another address.
    return `${step} ${address} ${this.#isReplacement && this.#isSecond ? 2 : 1}`
  }

  /** Writes the objects that must exist before; they are applied together with those of all cases. */
  async prepare(server: MatrixServer): Promise<void> {
    await expect(server, 'POST', '/api/v1/namespaces', { metadata: { name: this.#name } }, 201)
    if (this.#isAlone) await this.#configure(server)
    if (!this.#isThere) return
    const lifecycle = this.case.operation === 'replace-create-first' ? { create_before_destroy: true } : {}
    await this.#write(server, { ...this.#spec('n', 'small'), lifecycle })
  }

  /**
   * Starts the change and waits until the server has stopped at the fault point. Returns false if the change completed
   * instead.
   */
  async begin(server: MatrixServer): Promise<boolean> {
    this.#arm()
    let isOver = false
    let problem: Error | undefined
    // A stopped server no longer responds, possibly before it has answered the request.
    const working = async () => {
      await this.#change(server)
      await this.#plan(server, this.#name, true)
      isOver = true
    }
    void working().catch((error: Error) => {
      problem = error
    })
    const isThere = () =>
      this.case.step === 'in-flight' ? this.#cloud.isPaused(this.#label) : server.hasReached(this.faultPoint)
    await until('the server is where it shall be killed', () => isThere() || isOver || problem !== undefined).catch(
      (error: Error) => {
        problem = error
      },
    )
    this.isReached = isThere()
    if (!this.isReached) this.#problem = problem
    return this.isReached
  }

  /** After the kill: a provider that survived completes its call. */
  async afterKill(): Promise<void> {
    if (this.case.step !== 'in-flight') return
    const before = this.#cloud.effects(this.#label)
    this.#cloud.release(this.#label)
    if (this.case.kill === 'server' && !this.#isSecond)
      await until('the provider continues', () => this.#cloud.effects(this.#label) > before, 15)
  }

  /**
   * After the restart: the result must be as requested, and manual resolution is allowed only for outcomes that can't
   * be determined.
   */
  async check(server: MatrixServer): Promise<Result> {
    try {
      if (this.#problem !== undefined) throw this.#problem
      await until('the plan ends', () => this.#isOver(server, this.#name))
      await this.#resolve(server)
      for (let round = 1; ; round++) {
        const phase = await this.#plan(server, `${this.#name}-${round}`, true)
        await this.#resolve(server)
        if (phase === 'NoChanges') break
        if (round === 5) throw new Error(`the fifth plan still ends in phase ${phase}`)
      }
      await this.#compare(server)
      return { case: this.case, unknown: this.#unknown, isReached: this.isReached }
    } catch (error) {
      const problem = `${this.#name}: ${(error as Error).message}`
      return { case: this.case, problem, unknown: this.#unknown, isReached: this.isReached }
    }
  }

  get #type(): string {
    return `faulty_${this.case.sort}`
  }

  // A faulty provider process affects all its users, and a paused call blocks its whole batch, so such cases get their
  // own provider.
  get #isAlone(): boolean {
    return this.case.fault !== 'none' || this.case.step === 'in-flight'
  }

  async #configure(server: MatrixServer): Promise<void> {
    const path = `/apis/hykube.io/v1alpha1/namespaces/${this.#name}/providerconfigs`
    const spec = { provider: 'faulty', config: { world: this.#world, slot: this.#name } }
    await expect(server, 'POST', path, { metadata: { name: 'own' }, spec }, 201)
  }

  get #isBatch(): boolean {
    return this.case.operation.startsWith('batch')
  }

  get #isReplacement(): boolean {
    return this.case.operation.startsWith('replace')
  }

  get #isThere(): boolean {
    return !['create', 'batch-create', 'wave'].includes(this.case.operation)
  }

  get #label(): string {
    return this.#isBatch ? `${this.#name}-2` : this.#name
  }

  get #kinds(): string {
    return `/apis/faulty.hykube.io/v1/namespaces/${this.#name}/faulty-${this.case.sort}s`
  }

  get #object(): string {
    return `${this.#kinds}/${this.#name}`
  }

  #spec(prefix: string, size: string): object {
    const provider = this.#isAlone ? { provider: 'own' } : {}
    if (!this.#isBatch) return { ...provider, label: this.#name, name: `${prefix}-${this.#name}`, size }
    const each = '${count.index}'
    return { ...provider, count: batch, label: `${this.#name}-${each}`, name: `${prefix}-${this.#name}-${each}`, size }
  }

  #arm(): void {
    const { step, fault, operation } = this.case
    const when = this.#isSecond ? 'after' : 'before'
    const kinds: Record<Case['fault'], Fault | undefined> = {
      none: step === 'in-flight' ? `pause-${when}` : undefined,
      crash: 'crash-before',
      lost: 'crash-after',
      timeout: `hang-${when}`,
    }
    const isFirstHalf = this.#isSecond === (operation === 'replace-create-first')
    const verb = this.#isReplacement ? (isFirstHalf ? 'delete' : 'create') : operation.replace('batch-', '')
    const kind = kinds[fault]
    if (kind !== undefined) this.#cloud.arm(verb, this.#label, kind)
  }

  async #change(server: MatrixServer): Promise<void> {
    const { operation } = this.case
    if (operation === 'delete') return void (await expect(server, 'DELETE', this.#object, undefined, 200))
    if (operation === 'wave') return this.#writeWaves(server)
    if (!this.#isThere) return this.#write(server, this.#spec('n', 'small'))
    const spec = this.#isReplacement ? this.#spec('m', 'small') : this.#spec('n', 'large')
    const merge = 'application/merge-patch+json'
    await expect(server, 'PATCH', this.#object, { spec }, 200, merge)
  }

  // The count of the second object depends on the first, so it is known only after that is created.
  async #writeWaves(server: MatrixServer): Promise<void> {
    await this.#write(server, this.#spec('n', 'small'))
    const count = `\${size(${this.#type}.${this.#name}.id) > 0 ? 2 : 1}`
    const spec = { count, label: `${this.#name}-w`, name: `w-${this.#name}-\${count.index}` }
    await this.#write(server, spec, `${this.#name}-w`)
  }

  async #write(server: MatrixServer, spec: object, name = this.#name): Promise<void> {
    await expect(server, 'POST', this.#kinds, { metadata: { name }, spec }, 201)
  }

  async #plan(server: MatrixServer, name: string, waits = false): Promise<string> {
    const path = `/apis/hykube.io/v1alpha1/namespaces/${this.#name}/plans`
    await expect(server, 'POST', path, { metadata: { name }, spec: { approval: 'Automatic', refresh: 'All' } }, 201)
    if (waits) await until(`plan ${name} ends`, () => this.#isOver(server, name))
    return this.#phase(server, name)
  }

  async #isOver(server: MatrixServer, name: string): Promise<boolean> {
    return finalPhases.has(await this.#phase(server, name))
  }

  async #phase(server: MatrixServer, name: string): Promise<string> {
    const path = `/apis/hykube.io/v1alpha1/namespaces/${this.#name}/plans/${name}`
    // A stopped server does not respond.
    const answer = await server.api('GET', path).catch(() => undefined)
    return answer?.document.status?.phase ?? ''
  }

  // Simulates an operator, who compares the cloud with the message of the condition.
  async #resolve(server: MatrixServer): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const { status, document } = await server.api('GET', this.#object)
      const stalled = status === 200 ? conditionOf(document, 'Stalled') : undefined
      if (stalled?.status !== 'True') return
      if (stalled.reason !== 'OutcomeUnknown') throw new Error(`it is stalled by ${stalled.reason}`)
      if (this.case.sort !== 'blind') throw new Error(`the outcome is unknown: ${stalled.message}`)
      this.#unknown++
      const [, address = '', index] = /^([^:[]+(?:\[(\d+)\])?): /.exec(stalled.message) ?? []
      const expected = await this.#unmanaged(server, index)
      const told = [...stalled.message.matchAll(/blind-[0-9a-f-]{36}/g)].map(([id]) => id)
      if (told.sort().join() !== expected.sort().join())
        throw new Error(
          `the candidates of ${address} are ${expected.join() || 'none'}, but the message is: ${stalled.message}`,
        )
      const instance = index === undefined ? {} : { instance: Number(index) }
      const decision = expected[0] === undefined ? { decision: 'Retry' } : { decision: 'Adopt', id: expected[0] }
      await expect(server, 'POST', `${this.#object}/resolve`, { ...decision, ...instance }, 201)
    }
    throw new Error('the object is stalled repeatedly')
  }

  async #unmanaged(server: MatrixServer, index: string | undefined): Promise<string[]> {
    const label = index === undefined ? this.#name : `${this.#name}-${index}`
    const prefix = this.#isReplacement ? 'm-' : 'n-'
    const managed = new Set(await this.#managed(server, this.#name))
    const things = this.#cloud.all(this.#type).filter((each) => each.label === label && each.name.startsWith(prefix))
    return things.map(({ id }) => id).filter((id) => !managed.has(id))
  }

  // Ids of the instances that the server knows.
  async #managed(server: MatrixServer, name: string): Promise<string[]> {
    const { status, document } = await server.api('GET', `${this.#kinds}/${name}/instances`)
    if (status !== 200) return []
    return document.items.flatMap((each: { attributes?: { id?: string } }) => each.attributes?.id ?? [])
  }

  async #compare(server: MatrixServer): Promise<void> {
    const text = ({ label, name, size }: Wanted) => `${label} ${name} ${size}`
    const own = (label: string) => label === this.#name || label.startsWith(`${this.#name}-`)
    const things = this.#cloud.all(this.#type).filter(({ label }) => own(label))
    const wanted = this.#wanted.map(text).sort().join('; ')
    const found = things.map(text).sort().join('; ')
    if (found !== wanted) throw new Error(`there shall be ${wanted || 'nothing'}, and there is ${found || 'nothing'}`)
    const names = this.case.operation === 'wave' ? [this.#name, `${this.#name}-w`] : [this.#name]
    const managed = (await Promise.all(names.map((name) => this.#managed(server, name)))).flat()
    const ids = things.map(({ id }) => id).sort()
    if (managed.sort().join() !== ids.join()) throw new Error(`there is ${ids.join()}, and known is ${managed.join()}`)
    const twice = this.#cloud.createdTwice().filter(own)
    if (twice.length > 0) throw new Error(`created twice: ${twice.join()}`)
  }

  get #wanted(): Wanted[] {
    const { operation } = this.case
    if (operation === 'delete') return []
    const size = operation.endsWith('update') ? 'large' : 'small'
    const prefix = this.#isReplacement ? 'm' : 'n'
    if (this.#isBatch)
      return Array.from({ length: batch }, (_, i) => ({
        label: `${this.#name}-${i}`,
        name: `${prefix}-${this.#name}-${i}`,
        size,
      }))
    const one = { label: this.#name, name: `${prefix}-${this.#name}`, size }
    if (operation !== 'wave') return [one]
    const more = [0, 1].map((i) => ({ label: `${this.#name}-w`, name: `w-${this.#name}-${i}`, size }))
    return [one, ...more]
  }
}

const batch = 5

const finalPhases: ReadonlySet<string> = new Set([
  'NoChanges',
  'Blocked',
  'Applied',
  'PartiallyApplied',
  'Failed',
  'Canceled',
  'Stale',
])

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

function conditionOf(document: { status?: { conditions?: readonly Condition[] } }, type: string) {
  return document.status?.conditions?.find((each) => each.type === type)
}

async function expect(
  server: MatrixServer,
  method: string,
  path: string,
  body: object | undefined,
  wanted: number,
  type?: string,
) {
  const { status, text } = await server.api(method, path, body, type)
  if (status !== wanted) throw new Error(`${method} ${path} returned ${status}: ${text}`)
}
