import { Informer } from '@hykube/runtime/informer'
import { type ControllerContext, coreResource, watchFailure } from './context.ts'

/** What controllers remember of a namespace. */
export type NamespaceState = 'active' | 'terminating'

/** One picture of the namespaces of all logical clusters, for every controller that needs it. */
export type Namespaces = Informer<NamespaceState>

/** The informer of all namespaces. It remembers a word for each. */
export function createNamespaces(context: ControllerContext): Namespaces {
  return new Informer<NamespaceState>({
    client: context.clientFor('*'),
    at: coreResource('namespaces'),
    form: 'metadata',
    keep: ({ metadata }) => (metadata.deletionTimestamp == null ? 'active' : 'terminating'),
    clock: context.clock,
    onFailure: watchFailure(context, 'namespaces'),
  })
}
