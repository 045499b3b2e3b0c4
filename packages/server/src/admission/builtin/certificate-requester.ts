import type { KubernetesObject } from '@hykube/machinery/object'
import type { UserInfo } from '../../auth/index.ts'
import type { AdmissionPlugin } from '../chain.ts'

/**
 * Sets the requesting user in a certificate signing request and ignores the client's values, because signers decide by
 * it. Updates cannot change it.
 */
export const certificateRequester: AdmissionPlugin = {
  name: 'CertificateRequester',
  handles: ({ operation, subresource, type }) =>
    ['CREATE', 'UPDATE'].includes(operation) &&
    subresource === '' &&
    type.group === 'certificates.k8s.io' &&
    type.names.kind === 'CertificateSigningRequest',
  mutate: ({ object, old, user }) => withRequester(object!, old === undefined ? requesterOf(user) : requesterIn(old)),
}

interface Requester {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

function requesterOf({ name, uid, groups, extra = {} }: UserInfo): Requester {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    groups,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function requesterIn(object: KubernetesObject): Requester {
  const { username, uid, groups, extra } = (object.spec ?? {}) as Requester
  return {
    ...(username === undefined ? {} : { username }),
    ...(uid === undefined ? {} : { uid }),
    ...(groups === undefined ? {} : { groups }),
    ...(extra === undefined ? {} : { extra }),
  }
}

function withRequester(object: KubernetesObject, requester: Requester): KubernetesObject {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = (object.spec ?? {}) as Requester
  return { ...object, spec: { ...spec, ...requester } }
}
