import type { ApplyPorts } from '../../applying/index.ts'
import type { ChangeHeader } from './change-header.ts'

/**
 * Returns a test for changes, by their number, whose provider applies several changes of the type in one call. It doesn't wait: until the
 * provider has answered, the result is false.
 */
export function batchedChanges(
  ports: ApplyPorts,
  changes: readonly ChangeHeader[],
): (change: number | undefined) => boolean {
  const known = new Map<string, boolean>()
  const learn = async (text: string, header: ChangeHeader) => known.set(text, await batchesApplies(ports, header))
  return (change) => {
    const header = change === undefined ? undefined : changes[change]
    if (header === undefined) return false
    const { group, resource } = header.target.ref
    const text = `${group}/${resource} ${header.pool}`
    const isBatched = known.get(text)
    if (isBatched !== undefined) return isBatched
    known.set(text, false)
    // An error of the provider shows in the change that needs the provider.
    learn(text, header).catch(() => {})
    return false
  }
}

async function batchesApplies(ports: ApplyPorts, { target: { ref }, configuration }: ChangeHeader): Promise<boolean> {
  const kind = ports.kinds.at(ref.cluster, ref.group, ref.resource)
  const access = kind === undefined || kind.data ? undefined : await ports.provider(ref, kind, configuration)
  if (kind === undefined || access === undefined || 'problem' in access) return false
  return access.use(async (session) => session.batchesApplies?.(kind.type) === true)
}
