import type { ExtensionsClient, ProviderClient } from '@hykube/tfplugin/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { batchingPort } from './batching-port.ts'

const can = {
  idempotentApply: false,
  readMany: true,
  planMany: true,
  applyMany: false,
  validateMany: true,
  deterministicPlan: true,
}

interface Asked {
  readonly typeName: string
  readonly config: string
}

function provider() {
  const calls: string[] = []
  const answerTo = ({ config }: Asked) => ({ plannedState: config })
  const client = {
    planResourceChange: async (request: Asked) => {
      calls.push(`one ${request.typeName}`)
      return answerTo(request)
    },
    applyResourceChange: async ({ typeName }: { typeName: string }) => {
      calls.push(`apply ${typeName}`)
      return {}
    },
  } as unknown as ProviderClient
  const extensions = {
    extensions: new Map(['a', 'b'].map((type) => [type, can])),
    planMany: async (requests: readonly Asked[]) => {
      calls.push(`many ${requests.map(({ typeName }) => typeName).join()}`)
      return requests.map((request) =>
        request.config === 'broken'
          ? { kind: 'failed', reason: 'broken on the way' }
          : { kind: 'answered', answer: answerTo(request) },
      )
    },
  } as unknown as ExtensionsClient
  return { calls, client, extensions }
}

const plan = (typeName: string, config = '') => ({ typeName, priorState: null, proposedNewState: null, config })

test('sends concurrent requests for one type as one batch, and answers each caller separately', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  const names = ['x', 'broken', 'y', 'x']
  const asked = names.map((name) => port.planResourceChange(plan('a', name)))
  asked.push(port.planResourceChange(plan('b', 'x')))
  const answers = await Promise.allSettled(asked)
  expect(calls).toEqual(['many a,a,a,a', 'one b'])
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value.plannedState : each.reason.message))).toEqual([
    'x',
    'broken on the way',
    'y',
    'x',
    'x',
  ])
})

test('shrinks slow batches, and finally sends single calls', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  const now = vi.spyOn(performance, 'now').mockImplementation(() => calls.length * 2500)
  onTestFinished(() => now.mockRestore())
  const round = async () => {
    const before = calls.length
    await Promise.all(Array.from({ length: 8 }, () => port.planResourceChange(plan('a'))))
    return calls.slice(before).map((call) => `${call.split(' ')[0]} ${call.split(',').length}`)
  }
  expect(await round()).toEqual(['many 8'])
  expect(await round()).toEqual(Array(8).fill('one 1'))
})

test('sends few requests as single calls', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  await Promise.all([port.planResourceChange(plan('a')), port.planResourceChange(plan('b'))])
  expect(calls).toEqual(['one a', 'one b'])
})

test('sends single calls for types and RPCs without the extension', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  await Promise.all(Array.from({ length: 4 }, () => port.planResourceChange(plan('other'))))
  await port.applyResourceChange({ typeName: 'a', priorState: null, plannedState: null, config: null })
  expect(calls).toEqual(['one other', 'one other', 'one other', 'one other', 'apply a'])
})

test('splits requests above the maximum into several batches', async () => {
  const { calls, client, extensions } = provider()
  const port = batchingPort(client, extensions)
  await Promise.all(Array.from({ length: 450 }, () => port.planResourceChange(plan('a'))))
  expect(calls.map((call) => call.split(',').length)).toEqual([200, 200, 50])
})
