import { StatusError } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Estate, StoredState } from '../../estate/index.ts'

/** Allows the deletion of a Namespace or Provider with managed resources: a plan then destroys them first. */
export const destroyAnnotation = 'hykube.io/destroy'

/**
 * Rejects the deletion of a Namespace or Provider with managed resources unless the annotation allows it. With the annotation the object
 * stays until a plan has destroyed the resources.
 */
export function managedContentRules(estate: Estate): AdmissionPlugin {
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
      const names = held.map(({ ref }) => `${ref.resource}.${ref.group} ${ref.namespace}/${ref.name}`)
      throw new StatusError(
        'Conflict',
        `the ${kind} ${JSON.stringify(request.name)} has objects with real resources: ${names.join(', ')}; destroy or forget them first, or annotate it with ${destroyAnnotation}: allowed`,
      )
    },
  }
}

// How many objects the message names.
const mostNamed = 10

async function heldBy(estate: Estate, { type, cluster, name }: AdmissionRequest): Promise<StoredState[]> {
  const found = new Map<string, StoredState>()
  const states =
    type.names.kind === 'Namespace'
      ? estate.allStates(cluster, name)
      : estate.statesOfGroup(`${name}.hykube.io`, cluster)
  for await (const state of states) {
    if (state.ref.group.startsWith('data.')) continue
    found.set(`${state.ref.resource}/${state.ref.namespace}/${state.ref.name}`, state)
    if (found.size === mostNamed) break
  }
  return [...found.values()]
}
