import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { StatusError } from '@hykube/machinery/status'
import { expect, test } from 'vitest'
import { AdmissionChain, type AdmissionPlugin, type AdmissionRequest } from './chain.ts'

function request(object: KubernetesObject, also: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const place = { cluster: 'root', namespace: 'a', name: 'b', subresource: '' }
  const user = { name: 'u', groups: [] }
  return {
    operation: 'CREATE',
    type: {} as ResourceType,
    ...place,
    object,
    old: undefined,
    user,
    dryRun: false,
    warn: () => {},
    ...also,
  }
}

function labels(name: string, log: string[], reinvoke = false): AdmissionPlugin {
  return {
    name,
    reinvoke,
    mutate: ({ object }) => {
      log.push(name)
      const seen = (object?.seen as string[] | undefined) ?? []
      return seen.includes(name) ? object! : { ...object, seen: [...seen, name] }
    },
  }
}

test('plugins change the object in order', async () => {
  const log: string[] = []
  const chain = new AdmissionChain([labels('first', log), labels('second', log)])
  expect(await chain.mutate(request({}))).toEqual({ seen: ['first', 'second'] })
  expect(log).toEqual(['first', 'second'])
})

test('a plugin with reinvoke runs again when a later one changed the object', async () => {
  const log: string[] = []
  await new AdmissionChain([labels('first', log, true), labels('second', log)]).mutate(request({}))
  expect(log).toEqual(['first', 'second', 'first'])
})

test('no plugin runs again without later changes', async () => {
  const log: string[] = []
  await new AdmissionChain([labels('first', log), labels('second', log, true)]).mutate(request({}))
  expect(log).toEqual(['first', 'second'])
})

test('validating plugins see the final object, and the first rejection ends the chain', async () => {
  const log: string[] = []
  const refuse: AdmissionPlugin = {
    name: 'refuse',
    validate: () => {
      throw new StatusError('Forbidden', 'no')
    },
  }
  const later: AdmissionPlugin = { name: 'later', validate: () => void log.push('later') }
  await expect(new AdmissionChain([refuse, later]).validate(request({}))).rejects.toThrow('no')
  expect(log).toEqual([])
})

test('plugins run only for requests they handle, and know of dry runs', async () => {
  const seen: boolean[] = []
  const plugin: AdmissionPlugin = {
    name: 'creates',
    handles: ({ operation }) => operation === 'CREATE',
    validate: ({ dryRun }) => void seen.push(dryRun),
  }
  const chain = new AdmissionChain([plugin])
  await chain.validate(request({}, { operation: 'DELETE' }))
  await chain.validate(request({}, { dryRun: true }))
  expect(seen).toEqual([true])
})
