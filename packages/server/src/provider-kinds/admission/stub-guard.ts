import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../../admission/index.ts'
import { isKindStub } from '../../provider/index.ts'

/** Rejects writes of the CustomResourceDefinitions that the server creates for providers' kinds. */
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
      'it defines a kind of a provider, and only the server changes it',
    )
  },
}
