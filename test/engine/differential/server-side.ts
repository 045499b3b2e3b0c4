import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from '@hykube/server/app/testing'
import type { Declared } from './declared.ts'
import type { Names, ShownChange } from './normal-form.ts'
import type { ComparedWorld, Side, SidePlan, Trouble } from './side.ts'

/** A whole server with providers of others, of the two that are compared. */
export class ServerSide implements Side {
  readonly world: ComparedWorld
  readonly #server: TestServer
  readonly #written = new Set<string>()
  #plans = 0

  constructor(server: TestServer, world: ComparedWorld) {
    this.#server = server
    this.world = world
  }

  async write(all: readonly Declared[]): Promise<void> {
    const wanted = new Set(all.map(({ address }) => address))
    for (const address of this.#written) if (!wanted.has(address)) await this.#server.delete(pathOf(address))
    for (const { address, spec } of all) await this.#put(address, spec)
    for (const address of wanted) this.#written.add(address)
  }

  async #put(address: string, spec: object): Promise<void> {
    const path = pathOf(address)
    const old = await this.#server.get(path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    const answer =
      old.status === 404
        ? await this.#server.post(path.slice(0, path.lastIndexOf('/')), { metadata: { name }, spec })
        : await this.#server.send('PUT', path, { ...old.document, spec })
    if (answer.status >= 300) throw new Error(`${address} was refused: ${JSON.stringify(answer.document)}`)
  }

  async plan(replaced: readonly string[]): Promise<SidePlan> {
    const spec = { refresh: 'All', replace: replaced }
    const answer = await this.#server.post(plans, { metadata: { name: `p${++this.#plans}` }, spec })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.document))
    await this.#reaches(['Planned', 'NoChanges', 'Blocked', 'Failed'])
    const stuck = (await this.#changes()).filter(({ action }) => action === 'blocked' || action === 'deferred')
    const json = (await this.#server.get(`${this.#path}/json`)).document as { resource_changes: ShownChange[] }
    return {
      changes: json.resource_changes,
      troubles: stuck.map(({ address, action, message }) => ({ address, text: `${action}: ${message}` })),
    }
  }

  async apply(): Promise<{ readonly troubles: readonly Trouble[] }> {
    const phase = (await this.#server.get(this.#path)).document.status.phase
    if (phase === 'NoChanges' || phase === 'Blocked') return { troubles: [] }
    await this.#server.send('PUT', `${this.#path}/approval`, { decision: 'Approved' })
    await this.#reaches(['Applied', 'PartiallyApplied', 'Failed', 'Stale'])
    const left = (await this.#changes()).filter(({ outcome }) => outcome?.result !== 'applied')
    return {
      troubles: left.map(({ address, action, outcome }) => ({
        address,
        text: `${action} ${outcome?.result ?? 'was not begun'}: ${outcome?.message ?? ''}`,
      })),
    }
  }

  // Ids follow from names with these providers; objects are found in their world by them.
  async names(): Promise<Names> {
    const names = new Map<string, string>()
    for (const address of this.#written) {
      if (address.startsWith('data.')) continue
      const { document } = await this.#server.get(pathOf(address))
      const id = document.status?.attributes?.id
      if (typeof id === 'string') names.set(id, address)
    }
    return names
  }

  get #path(): string {
    return `${plans}/p${this.#plans}`
  }

  async #changes(): Promise<readonly Shown[]> {
    return (await this.#server.get(`${this.#path}/changes?limit=5000`)).document.items
  }

  async #reaches(phases: readonly string[]): Promise<void> {
    while (!phases.includes((await this.#server.get(this.#path)).document.status?.phase)) await sleep(20)
  }
}

/** Installs a provider, and waits for it. */
export async function provide(server: TestServer, name: string, config: object): Promise<void> {
  const path = '/apis/hykube.io/v1alpha1/providers'
  const spec = { source: `local/${name}`, config }
  const { status, document } = await server.post(path, { metadata: { name }, spec })
  if (status >= 300) throw new Error(JSON.stringify(document))
  const isReady = async () =>
    (await server.get(`${path}/${name}`)).document.status?.conditions?.some(
      (each: { type: string; status: string }) => each.type === 'Ready' && each.status === 'True',
    )
  while (!(await isReady())) await sleep(20)
}

interface Shown {
  readonly address: string
  readonly action: string
  readonly message?: string
  readonly outcome?: { readonly result: string; readonly message?: string }
}

const plans = '/apis/hykube.io/v1alpha1/namespaces/default/plans'

function pathOf(address: string): string {
  const [, data = '', type = '', name = ''] = /^(data\.)?(\w+)\.(.+)$/.exec(address) ?? []
  const provider = type.slice(0, type.indexOf('_'))
  const plural = `${type.replaceAll('_', '-')}${data === '' ? 's' : ''}`
  return `/apis/${data}${provider}.hykube.io/v1/namespaces/default/${plural}/${name}`
}
