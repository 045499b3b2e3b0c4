import { canonicalText } from './canonical-text.ts'
import type { NodeFacts, NodeKind } from './facts.ts'
import type { PlannerPorts, ProviderAccess } from './ports.ts'
import type { InstanceState } from './rules/instance.ts'
import { normaliseBlocks } from './rules/legacy-blocks.ts'

/**
 * Spares reading many objects one by one where a provider can list them and can't read many at once. A listing only confirms: what
 * it shows just as it is known need not be read, and whatever it shows otherwise, or not at all, is.
 */
export class Sweeps {
  readonly #ports: Pick<PlannerPorts, 'hash' | 'countStates'>
  readonly #sweeps = new Map<ProviderAccess, Map<string, Sweep>>()

  constructor(ports: Pick<PlannerPorts, 'hash' | 'countStates'>) {
    this.#ports = ports
  }

  /** Whether a listing shows an object just as it is known. The first few of a type are not worth one. */
  async confirms(access: ProviderAccess, { kind, place }: Pick<NodeFacts, 'kind' | 'place'>, state: InstanceState) {
    if (state.identity === undefined || state.identity === null) return false
    const sweep = this.#sweepOf(access, kind)
    if (++sweep.asked <= fewest) return false
    sweep.listed ??= this.#list(access, kind, place.cluster)
    const listed = await sweep.listed
    return listed.size > 0 && listed.has(this.#shown(state.identity, state.value))
  }

  #sweepOf(access: ProviderAccess, { type }: NodeKind): Sweep {
    const types = this.#sweeps.get(access) ?? new Map<string, Sweep>()
    this.#sweeps.set(access, types)
    const sweep = types.get(type) ?? { asked: 0 }
    types.set(type, sweep)
    return sweep
  }

  async #list(access: ProviderAccess, kind: NodeKind, cluster: string): Promise<ReadonlySet<string>> {
    const limit = mostForEach * (await this.#ports.countStates(cluster, kind))
    const shown = new Set<string>()
    try {
      await access.use(async (session) => {
        if (session.readsMany?.(kind.type) === true) return
        for await (const { identity, resourceObject } of (await session.list?.(kind.type, limit)) ?? [])
          if (identity != null && resourceObject != null)
            shown.add(this.#shown(identity, normaliseBlocks(kind.schema, resourceObject)))
      })
    } catch {
      // What it showed until then holds, and everything else is read: that says what is wrong, if anything is.
    }
    return shown
  }

  #shown(identity: Parameters<typeof canonicalText>[0], value: Parameters<typeof canonicalText>[0]): string {
    return this.#ports.hash(`${canonicalText(identity)} ${canonicalText(value)}`)
  }
}

/** The objects of one type that a configured provider has. */
interface Sweep {
  asked: number
  /** What a listing showed, as hashes of identities with values; empty where there is none. */
  listed?: Promise<ReadonlySet<string>>
}

// So many are read by themselves before anything is listed.
const fewest = 200

// Where a provider has many more objects than are known here, reading those is less work than listing all.
const mostForEach = 4
