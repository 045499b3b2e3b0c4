import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { expect, test } from 'vitest'
import { AdmissionChain, type AdmissionRequest } from '../chain.ts'
import { certificateRequester } from './certificate-requester.ts'

const type = { group: 'certificates.k8s.io', names: { kind: 'CertificateSigningRequest' } } as ResourceType
const chain = new AdmissionChain([certificateRequester])

function request(object: KubernetesObject, old?: KubernetesObject): AdmissionRequest {
  return {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    cluster: 'root',
    type,
    subresource: '',
    namespace: '',
    name: 'a',
    object,
    old,
    user: { name: 'ada', uid: '7', groups: ['g,1', 'system:authenticated'], extra: { key: ['a', 'b'] } },
    dryRun: false,
    warn: () => {},
  }
}

test('sets the requesting user in a new request', async () => {
  const object = { spec: { signerName: 's', username: 'root', groups: ['system:masters'] } }
  expect(await chain.mutate(request(object))).toEqual({
    spec: {
      signerName: 's',
      username: 'ada',
      uid: '7',
      groups: ['g,1', 'system:authenticated'],
      extra: { key: ['a', 'b'] },
    },
  })
})

test('keeps the requesting user when another user updates the request', async () => {
  const old = { spec: { signerName: 's', username: 'eve', groups: ['x'] } }
  expect(await chain.mutate(request({ spec: { signerName: 's', username: 'ada' } }, old))).toEqual(old)
})
