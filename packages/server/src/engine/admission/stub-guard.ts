import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../../admission/index.ts'
import { isKindStub } from '../../provider/index.ts'

/** The definitions that stand for providers' kinds are the server's alone. */
export const stubGuard: AdmissionPlugin = {
  name: 'ProviderKindDefinitions',
  handles: ({ type, operation }) => type.group === 'apiextensions.k8s.io' && operation !== 'CONNECT',
  validate: ({ name, object, old, user }) => {
    if (user.name === 'system:apiserver') return
    const given = old ?? object
    if (given === undefined || !isKindStub(given)) return
    throw forbidden(
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
      name,
      'it stands for a kind of a provider, and comes and goes with the Provider',
    )
  },
}
