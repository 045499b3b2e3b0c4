import type { ApplyPorts } from '../apply/index.ts'
import type { ChangeHeader } from './change-header.ts'

/**
 * Tells which changes of a plan, by their numbers, are of types of which a provider takes many in one call. Who asks first waits for
 * nothing: until the provider was asked, they are not.
 */
export function changesTogether(
  ports: ApplyPorts,
  changes: readonly ChangeHeader[],
): (change: number | undefined) => boolean {
  const known = new Map<string, boolean>()
  const learn = async (text: string, header: ChangeHeader) => known.set(text, await takesMany(ports, header))
  return (change) => {
    const header = change === undefined ? undefined : changes[change]
    if (header === undefined) return false
    const { group, resource } = header.place.node
    const text = `${group}/${resource} ${header.pool}`
    const isOne = known.get(text)
    if (isOne !== undefined) return isOne
    known.set(text, false)
    // Whatever is the matter with the provider is told with the change that needs it.
    learn(text, header).catch(() => {})
    return false
  }
}

async function takesMany(ports: ApplyPorts, { place: { node }, configuration }: ChangeHeader): Promise<boolean> {
  const kind = ports.kinds.at(node.cluster, node.group, node.resource)
  const access = kind === undefined || kind.data ? undefined : await ports.provider(node, kind, configuration)
  if (kind === undefined || access === undefined || 'problem' in access) return false
  return access.use(async (session) => session.appliesMany?.(kind.type) === true)
}
