import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestServer } from '@hykube/server/app/testing'
import { type Plugin, startPlugin } from '@hykube/tfplugin/handshake'
import { createProviderClient, type ProviderClient } from '@hykube/tfplugin/protocol'
import { valueObject } from '@hykube/tfplugin/value'
import { diceOf } from '../differential/configuration.ts'
import type { Declared } from '../differential/declared.ts'
import { provide } from '../differential/server-side.ts'
import { generated } from './specs.ts'

const plans = '/apis/hykube.io/v1alpha1/namespaces/default/plans'

/** A server with one of the Go providers, and the provider itself to generate configurations with. */
export class ShapeServer {
  readonly server: TestServer
  readonly world: string
  readonly executable: string
  readonly #directory: string
  readonly #plugin: Plugin
  readonly #client: ProviderClient
  #plans = 0
  #kinds: readonly Served[] | undefined

  private constructor(
    server: TestServer,
    directory: string,
    world: string,
    executable: string,
    plugin: Plugin,
    client: ProviderClient,
  ) {
    this.server = server
    this.#directory = directory
    this.executable = executable
    this.world = world
    this.#plugin = plugin
    this.#client = client
  }

  /** `shared` is the world of another server, whose resources this one may adopt. */
  static async open(name: string, built: string, shared?: string): Promise<ShapeServer> {
    const directory = mkdtempSync(join(tmpdir(), 'hykube-shapes-'))
    const executable = join(directory, 'mirror', `terraform-provider-${name}`)
    const world = shared ?? join(directory, 'world')
    mkdirSync(join(directory, 'mirror'))
    if (shared === undefined) mkdirSync(world)
    symlinkSync(built, executable)
    // The provider runs as a user of its own, which must reach its world.
    chmodSync(directory, 0o711)
    chmodSync(world, 0o777)
    const server = await TestServer.open({
      providerDirectories: [join(directory, 'mirror')],
      providerPaths: [`${name}=${world}`],
    })
    await provide(server, name, { world })
    const plugin = await startPlugin({ executable, env: { PATH: process.env.PATH ?? '' }, onLog: () => {} })
    const client = createProviderClient(plugin.grpc, plugin.protocolVersion)
    await client.configureProvider({ config: valueObject({ world, token: null }), terraformVersion: '1.12.0' })
    return new ShapeServer(server, directory, world, executable, plugin, client)
  }

  async close(): Promise<void> {
    await this.#plugin.kill()
    await this.server.close()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Generates configurations of every resource type. */
  async declare(count: number, seed: number): Promise<readonly Declared[]> {
    const { resources } = await this.#client.getProviderSchema()
    const dice = diceOf(seed)
    const all: Declared[] = []
    for (const [type, schema] of [...resources].sort(([a], [b]) => (a < b ? -1 : 1)))
      all.push(...(await generated(this.#client, type, schema, count, dice)))
    return all
  }

  async write(all: readonly Declared[]): Promise<void> {
    for (const { address, spec } of all) {
      const [type = '', name = ''] = address.split('.')
      const answer = await this.server.post(await this.pathOf(type), { metadata: { name }, spec })
      if (answer.status >= 300) throw new Error(`${address} was refused: ${JSON.stringify(answer.document)}`)
    }
  }

  /** The instances of an object as a state file has them. */
  async instancesOf(address: string): Promise<readonly object[]> {
    const { document } = await this.server.get(await this.#pathOfObject(address, '/state'))
    return document.resource.instances
  }

  /** Adopts the instances of a state file; returns the generated spec and what a plan would change. */
  async adopt(address: string, instances: readonly object[]): Promise<Adopted> {
    const answer = await this.server.post(await this.#pathOfObject(address, '/state'), { instances })
    if (answer.status !== 201) throw new Error(`${address} was refused: ${JSON.stringify(answer.document)}`)
    const { spec, status } = answer.document
    const applied = (status.conditions as readonly Condition[]).find(({ type }) => type === 'Applied')
    return { spec, changes: applied?.status === 'True' ? undefined : applied?.message }
  }

  async #pathOfObject(address: string, subresource: string): Promise<string> {
    const [type = '', name = ''] = address.split('.')
    return `${await this.pathOf(type)}/${name}${subresource}`
  }

  /** The path of the objects of a type. */
  async pathOf(type: string): Promise<string> {
    const group = `/apis/${type.slice(0, type.indexOf('_'))}.hykube.io/v1`
    this.#kinds ??= (await this.server.get(group)).document.resources as readonly Served[]
    const kind = this.#kinds.find(({ singularName }) => singularName === type.replaceAll('_', '-'))
    return `${group}/namespaces/default/${kind?.name ?? type}`
  }

  /** Makes a plan; returns its phase and a line for each change, with the attributes that differ. */
  async plan(spec: object): Promise<{ readonly phase: string; readonly lines: readonly string[] }> {
    const path = `${plans}/p${++this.#plans}`
    const answer = await this.server.post(plans, { metadata: { name: `p${this.#plans}` }, spec })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
    const phase = await this.#reaches(path, ['Planned', 'NoChanges', 'Blocked', 'Failed'])
    return { phase, lines: (await this.#changes(path)).map(lineOf) }
  }

  /** Applies the plan; returns a line for each change that failed. */
  async apply(): Promise<readonly string[]> {
    const path = `${plans}/p${this.#plans}`
    await this.server.send('PUT', `${path}/approval`, { decision: 'Approved' })
    await this.#reaches(path, ['Applied', 'PartiallyApplied', 'Failed', 'Stale'])
    return (await this.#changes(path)).flatMap(({ address, outcome }) =>
      outcome?.result === 'applied' ? [] : [`${address} ${outcome?.result}: ${outcome?.message}`],
    )
  }

  async #changes(path: string): Promise<readonly Change[]> {
    return (await this.server.get(`${path}/changes?limit=5000`)).document.items
  }

  async #reaches(path: string, phases: readonly string[]): Promise<string> {
    for (;;) {
      const { phase } = (await this.server.get(path)).document.status ?? {}
      if (phases.includes(phase)) return phase
      await sleep(20)
    }
  }
}

/** An object that was adopted from a state. */
export interface Adopted {
  readonly spec: object
  /** The changes that a plan would make; undefined when there are none. */
  readonly changes: string | undefined
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly message: string
}

interface Served {
  readonly name: string
  readonly singularName: string
}

interface Change {
  readonly address: string
  readonly action: string
  readonly message?: string
  readonly outcome?: { readonly result: string; readonly message?: string }
  readonly diagnostics?: readonly { readonly detail?: string }[]
  readonly change?: {
    readonly before: Readonly<Record<string, unknown>> | null
    readonly after: Readonly<Record<string, unknown>> | null
  }
}

function lineOf({ address, action, message, diagnostics, change }: Change): string {
  const { before, after } = change ?? { before: null, after: null }
  const names = Object.keys({ ...before, ...after })
  const differing = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
  const values = differing.map(
    (name) => `${name}: ${JSON.stringify(before?.[name])} -> ${JSON.stringify(after?.[name])}`,
  )
  return [
    action,
    address,
    message,
    ...(diagnostics ?? []).map(({ detail }) => detail),
    ...(before === null ? [] : values),
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}
