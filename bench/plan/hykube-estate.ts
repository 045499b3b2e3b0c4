import { mkdtempSync, writeFileSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { client, startServer, type TestServer } from '../../test/e2e/server.ts'
import { cpuSeconds, peakMegabytes } from './cpu.ts'
import type { Profiler } from './profiler.ts'
import { singleCallsDirectory } from './single-calls.ts'

/** Cost of a step, in seconds. */
export interface Taken {
  readonly cpu: number
  readonly wall: number
}

export interface HykubeEstateOptions {
  readonly profiler?: Profiler | undefined
  /** When true, the provider has no batch calls. */
  readonly singleCalls?: boolean
}

/** A server with the simulated cloud. Costs are the processor time of the server and its provider together. */
export class HykubeEstate {
  readonly #server: TestServer
  readonly #profiler: Profiler | undefined
  #plans = 0

  private constructor(server: TestServer, profiler: Profiler | undefined) {
    this.#server = server
    this.#profiler = profiler
  }

  static async start({ profiler, singleCalls = false }: HykubeEstateOptions = {}): Promise<HykubeEstate> {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-bench-plan-'))
    const server = await startServer({
      dataDirectory,
      arguments: singleCalls ? ['--provider-dir', singleCallsDirectory(dataDirectory)] : [],
      environment: profiler?.environment ?? {},
    })
    const estate = new HykubeEstate(server, profiler)
    const world = `sqlite:${dataDirectory}/world.db`
    await estate.send('POST', '/apis/hykube.io/v1alpha1/providers', {
      metadata: { name: 'sim' },
      spec: { source: singleCalls ? 'local/sim' : 'hykube/sim', config: { world } },
    })
    await estate.#until('/apis/hykube.io/v1alpha1/providers/sim', ({ status }) =>
      status?.conditions?.some(
        ({ type, status: is }: { type: string; status: string }) => type === 'Ready' && is === 'True',
      ),
    )
    return estate
  }

  /** Peak memory of the server so far, without its provider. */
  get peakMegabytes(): number {
    return peakMegabytes(this.#server.process.pid!)
  }

  // A graceful stop also stops the provider.
  async close(): Promise<void> {
    await this.#server.end()
    await this.#server.remove()
  }

  /** Creates one object with this many instances. */
  async writeBatch(count: number, word: string): Promise<void> {
    const spec = {
      count,
      triggers: { word: `\${count.index == 0 ? "${word}" : "v"}`, index: '${string(count.index)}' },
    }
    const path = `${nulls}/many`
    const known = await this.send('GET', path)
    if (known.status === 404) await this.send('POST', nulls, { metadata: { name: 'many' }, spec })
    else await this.send('PATCH', path, { spec })
  }

  /** Creates this many objects. */
  async writeObjects(count: number, word: string): Promise<void> {
    const write = async (index: number) => {
      const triggers = { word: index === 0 ? word : 'v', index: String(index) }
      await this.send('POST', nulls, { metadata: { name: `n${index}` }, spec: { triggers } })
    }
    for (let start = 0; start < count; start += 64)
      await Promise.all(Array.from({ length: Math.min(64, count - start) }, (_, i) => write(start + i)))
  }

  async changeObject(index: number, word: string): Promise<void> {
    await this.send('PATCH', `${nulls}/n${index}`, { spec: { triggers: { word } } })
  }

  /** Imports a state file with this many resources through the CLI. */
  async importState(count: number): Promise<Taken> {
    const file = join(this.#server.dataDirectory, 'terraform.tfstate')
    writeFileSync(file, stateOf(count))
    return this.measure('import-state', async () => {
      const { code, stderr } = await client(program, this.#server)(['import-state', file])
      if (code !== 0) throw new Error(`import-state ended with ${code}: ${stderr.slice(0, 500)}`)
    })
  }

  /** Creates a plan and returns its name, number of changes and cost. */
  async plan(step: string, spec: object = {}): Promise<Taken & { readonly name: string; readonly changes: number }> {
    const name = `p${++this.#plans}`
    let changes = 0
    const taken = await this.measure(step, async () => {
      await this.send('POST', plans, { metadata: { name }, spec })
      const { status } = await this.#until(
        `${plans}/${name}`,
        ({ status: at }) => at?.phase === 'Planned' || at?.phase === 'NoChanges' || finished.has(at?.phase),
      )
      if (finished.has(status.phase)) throw new Error(`plan ${name} is ${status.phase}: ${status.message}`)
      const { create, update, replace, delete: gone } = status.summary
      changes = create + update + replace + gone
    })
    return { ...taken, name, changes }
  }

  /** Approves a plan and waits until it is applied. */
  apply(step: string, name: string): Promise<Taken> {
    return this.measure(step, async () => {
      await this.send('PUT', `${plans}/${name}/approval`, { decision: 'Approved' })
      const { status } = await this.#until(`${plans}/${name}`, ({ status: at }) => finished.has(at?.phase))
      if (status.phase !== 'Applied') throw new Error(`plan ${name} is ${status.phase}: ${status.message}`)
    })
  }

  /** Measures the cost of `work` for the server and its provider. */
  async measure(step: string, work: () => Promise<void>): Promise<Taken> {
    const pid = this.#server.process.pid!
    const written = await this.#profiler?.begin(pid)
    const cpu = cpuSeconds(pid)
    const begun = performance.now()
    await work()
    const taken = { cpu: cpuSeconds(pid) - cpu, wall: (performance.now() - begun) / 1000 }
    await written?.(step)
    return taken
  }

  // biome-ignore lint/suspicious/noExplicitAny: documents of several kinds
  async #until(path: string, isDone: (document: any) => boolean): Promise<any> {
    for (let pause = 5; ; pause = Math.min(pause * 1.5, 500)) {
      const { document } = await this.send('GET', path)
      if (isDone(document)) return document
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: documents of several kinds
  send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly document: any }> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = { authorization: `Bearer ${this.#server.adminToken}`, 'content-type': type }
    return new Promise((resolve, reject) => {
      const request = httpsRequest(`${this.#server.url}${path}`, { method, headers, agent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const status = answer.statusCode ?? 0
          const text = Buffer.concat(chunks).toString()
          if (status >= 400 && status !== 404) reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`))
          else resolve({ status, document: JSON.parse(text) })
        })
      })
      request.on('error', reject)
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
}

const program = resolve(import.meta.dirname, '../../bin/hykube')

function stateOf(count: number): string {
  const resources = Array.from({ length: count }, (_, index) => ({
    mode: 'managed',
    type: 'sim_null',
    name: `n${index}`,
    provider: 'provider["registry.terraform.io/hykube/sim"]',
    instances: [{ schema_version: 0, attributes: { id: `null-${index}`, triggers: { index: String(index) } } }],
  }))
  return JSON.stringify({
    version: 4,
    terraform_version: '1.12.0',
    serial: 1,
    lineage: 'bench',
    outputs: {},
    resources,
  })
}

// Reconnects as needed: runs take hours.
const agent = new Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false })

const plans = '/apis/hykube.io/v1alpha1/namespaces/default/plans'
const nulls = '/apis/sim.hykube.io/v1/namespaces/default/sim-nulls'
const finished = new Set(['Applied', 'Blocked', 'PartiallyApplied', 'Failed', 'Stale', 'Canceled'])
