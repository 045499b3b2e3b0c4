import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../chain.ts'

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/**
 * Keeps the namespaces that everything leans on. That nothing is created in a namespace that is absent or goes is not
 * checked here but in the commit itself, where it can't come too late.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  handles: ({ operation, type }) => operation === 'DELETE' && type.group === '' && type.names.kind === 'Namespace',
  validate: ({ name }) => {
    if (immortal.has(name))
      throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted')
  },
}
