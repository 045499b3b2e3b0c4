import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../chain.ts'

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/**
 * Prevents the deletion of system namespaces. Creation in a missing or terminating namespace is not checked here but by
 * a precondition of the commit, which cannot race with the deletion.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  handles: ({ operation, type }) => operation === 'DELETE' && type.group === '' && type.names.kind === 'Namespace',
  validate: ({ name }) => {
    if (immortal.has(name))
      throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted')
  },
}
