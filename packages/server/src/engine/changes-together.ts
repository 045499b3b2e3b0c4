import type { ApplyPorts } from '../apply/index.ts'
import type { ChangeHeader } from './change-header.ts'

/** Finds out which changes of a plan, by their numbers, are of types of which a provider takes many in one call. */
export async function changesTogether(
  ports: ApplyPorts,
  changes: readonly ChangeHeader[],
): Promise<(change: number | undefined) => boolean> {
  const together = new Uint8Array(changes.length)
  const known = new Map<string, boolean>()
  for (const [at, header] of changes.entries()) {
    if (!header.makes && !header.destroys) continue
    const { group, resource } = header.place.node
    const text = `${group}/${resource} ${header.pool}`
    let isOne = known.get(text)
    if (isOne === undefined) {
      isOne = await takesMany(ports, header).catch(() => false)
      known.set(text, isOne)
    }
    if (isOne) together[at] = 1
  }
  return (change) => change !== undefined && together[change] === 1
}

// Whatever is the matter with the provider is told with the change that needs it.
async function takesMany(ports: ApplyPorts, { place: { node }, configuration }: ChangeHeader): Promise<boolean> {
  const kind = ports.kinds.at(node.cluster, node.group, node.resource)
  const access = kind === undefined || kind.data ? undefined : await ports.provider(node, kind, configuration)
  if (kind === undefined || access === undefined || 'problem' in access) return false
  return access.use(async (session) => session.appliesMany?.(kind.type) === true)
}
