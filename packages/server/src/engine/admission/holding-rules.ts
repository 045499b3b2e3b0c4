import { StatusError } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Estate, StoredState } from '../../estate/index.ts'

/** With this annotation, what exists outside goes along, by a plan. */
export const destroyAnnotation = 'hykube.io/destroy'

/**
 * A Namespace or Provider that holds objects with something outside is not deleted by accident. Where it may be, it stays until a plan
 * has destroyed that.
 */
export function holdingRules(estate: Estate): AdmissionPlugin {
  return {
    name: 'ManagedContent',
    handles: ({ operation, type }) =>
      operation === 'DELETE' &&
      ((type.group === '' && type.names.kind === 'Namespace') ||
        (type.group === 'hykube.io' && type.names.kind === 'Provider')),
    validate: async (request) => {
      const held = await heldBy(estate, request)
      if (held.length === 0) return
      const kind = request.type.names.kind.toLowerCase()
      if (request.old?.metadata?.annotations?.[destroyAnnotation] === 'allowed')
        return request.warn(
          `nothing is destroyed until a plan is applied: the ${kind} stays until then, so use --wait=false`,
        )
      const names = held.map(({ node }) => `${node.resource}.${node.group} ${node.namespace}/${node.name}`)
      throw new StatusError(
        'Conflict',
        `the ${kind} ${JSON.stringify(request.name)} holds objects that exist outside: ${names.join(', ')}; destroy or forget them first, or annotate it with ${destroyAnnotation}: allowed`,
      )
    },
  }
}

const mostNamed = 10

async function heldBy(estate: Estate, { type, cluster, name }: AdmissionRequest): Promise<StoredState[]> {
  const found = new Map<string, StoredState>()
  const states =
    type.names.kind === 'Namespace'
      ? estate.allStates(cluster, name)
      : estate.statesOfGroup(`${name}.hykube.io`, cluster)
  for await (const state of states) {
    if (state.node.group.startsWith('data.')) continue
    found.set(`${state.node.resource}/${state.node.namespace}/${state.node.name}`, state)
    if (found.size === mostNamed) break
  }
  return [...found.values()]
}
