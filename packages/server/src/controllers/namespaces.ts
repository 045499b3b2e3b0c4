import { Informer } from '@hykube/runtime/informer'
import { type ControllerContext, coreResource, watchFailure } from './context.ts'

/** Cached state of a namespace. */
export type NamespaceState = 'active' | 'terminating'

/** Informer for the namespaces of all logical clusters, shared by all controllers. */
export type Namespaces = Informer<NamespaceState>

/** Creates the informer. It keeps one word per namespace. */
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
