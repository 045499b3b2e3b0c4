import type { ExtensionsClient, ProviderClient } from '@hykube/tfplugin/protocol'
import { expect, test } from 'vitest'
import { batchingPort } from './batching-port.ts'

const can = {
  idempotentApply: false,
  readMany: true,
  planMany: true,
  applyMany: false,
  validateMany: true,
  steadyPlan: true,
}

function provider() {
  const calls: string[] = []
  const answerTo = ({ typeName }: { typeName: string }) => ({ plannedState: typeName })
  const client = {
    planResourceChange: async (request: { typeName: string }) => {
      calls.push(`one ${request.typeName}`)
      return answerTo(request)
    },
    applyResourceChange: async ({ typeName }: { typeName: string }) => {
      calls.push(`apply ${typeName}`)
      return {}
    },
  } as unknown as ProviderClient
  const extensions = {
    extensions: new Map(['a', 'b', 'broken'].map((type) => [type, can])),
    planMany: async (requests: readonly { typeName: string }[]) => {
      calls.push(`many ${requests.map(({ typeName }) => typeName).join()}`)
      return requests.map((request) =>
        request.typeName === 'broken'
          ? { kind: 'failed', reason: 'broken on the way' }
          : { kind: 'answered', answer: answerTo(request) },
      )
    },
  } as unknown as ExtensionsClient
  return { calls, client, extensions }
}

const plan = (typeName: string) => ({ typeName, priorState: null, proposedNewState: null, config: null })

test('what is asked at the same time goes in one call, and each is answered by itself', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  const asked = ['a', 'b', 'broken', 'a'].map((type) => port.planResourceChange(plan(type)))
  const answers = await Promise.allSettled(asked)
  expect(calls).toEqual(['many a,b,broken,a'])
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value.plannedState : each.reason.message))).toEqual([
    'a',
    'b',
    'broken on the way',
    'a',
  ])
})

test('a few are asked one by one', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  await Promise.all([port.planResourceChange(plan('a')), port.planResourceChange(plan('b'))])
  expect(calls).toEqual(['one a', 'one b'])
})

test('a type or call that the provider does not batch is asked one by one', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  await Promise.all(Array.from({ length: 4 }, () => port.planResourceChange(plan('other'))))
  await port.applyResourceChange({ typeName: 'a', priorState: null, plannedState: null, config: null })
  expect(calls).toEqual(['one other', 'one other', 'one other', 'one other', 'apply a'])
})

test('more than fit in a batch go in several', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  await Promise.all(Array.from({ length: 450 }, () => port.planResourceChange(plan('a'))))
  expect(calls.map((call) => call.split(',').length)).toEqual([200, 200, 50])
})
