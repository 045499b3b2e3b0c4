import { StatusError } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Estate, StoredState } from '../../estate/index.ts'

/** With this annotation, what exists outside goes along, by a plan. */
export const destroyAnnotation = 'hykube.io/destroy'

/**
 * A Namespace or Provider that holds objects with something outside is not deleted by accident. A Provider that goes would take
 * its kinds along, and with them the only way to destroy what it made: it stays until that is gone, whatever is written on it.
 */
export function holdingRules(estate: Estate): AdmissionPlugin {
  return {
    name: 'ManagedContent',
    handles: ({ operation, type }) =>
      operation === 'DELETE' &&
      ((type.group === '' && type.names.kind === 'Namespace') ||
        (type.group === 'hykube.io' && type.names.kind === 'Provider')),
    validate: async (request) => {
      const isNamespace = request.type.names.kind === 'Namespace'
      if (isNamespace && request.old?.metadata?.annotations?.[destroyAnnotation] === 'allowed') return
      const held = await heldBy(estate, request)
      if (held.length === 0) return
      const names = held.map(({ node }) => `${node.resource}.${node.group} ${node.namespace}/${node.name}`)
      const what = `the ${isNamespace ? 'namespace' : 'provider'} ${JSON.stringify(request.name)}`
      const advice = isNamespace ? `, or annotate it with ${destroyAnnotation}: allowed` : ''
      throw new StatusError(
        'Conflict',
        `${what} holds objects that exist outside: ${names.join(', ')}; destroy or forget them first${advice}`,
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
