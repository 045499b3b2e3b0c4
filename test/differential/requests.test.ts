import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { describeWith } from '../real-parts/index.ts'
import { type KubeApiserver, startKubeApiserver } from '../real-parts/kube-apiserver.ts'
import { type Answer, ask, type Server } from './exchange.ts'
import { knownDifferences, refusedWith400 } from './known-differences.ts'
import { normalised, normalisedMessage } from './normalise.ts'
import { requestCases } from './request-cases.ts'

describeWith(['etcd', 'kube-apiserver'], 'requests, here and in kube-apiserver', () => {
  let kubernetes: KubeApiserver
  let hykube: TestServer

  beforeAll(async () => {
    ;[kubernetes, hykube] = await Promise.all([startKubeApiserver(), startServer()])
  })

  afterAll(async () => {
    await Promise.all([kubernetes?.close(), hykube?.remove()])
  })

  test('get the same answers, but for those that are known to differ', async () => {
    const servers: readonly Server[] = [kubernetes, { url: hykube.url, token: hykube.adminToken }]
    const different: string[] = []
    const codes: string[] = []
    for (const each of requestCases) {
      const [theirs, ours] = (await Promise.all(servers.map((server) => ask(server, each)))) as [Answer, Answer]
      if (isRefusedWith400(theirs, ours)) codes.push(each.name)
      else if (!isDeepStrictEqual(normalised(theirs), normalised(ours))) different.push(each.name)
      if (each.name === 'make a definition') await Promise.all(servers.map(served))
    }
    expect(codes.toSorted()).toEqual(refusedWith400.toSorted())
    expect(different.toSorted()).toEqual(Object.values(knownDifferences).flat().toSorted())
  }, 120_000)
})

function isRefusedWith400(theirs: Answer, ours: Answer): boolean {
  return theirs.status === 500 && ours.status === 400 && normalisedMessage(theirs) === normalisedMessage(ours)
}

async function served(server: Server): Promise<void> {
  const path = '/apis/diff.example.com/v1/namespaces/diff/things'
  while ((await ask(server, { method: 'GET', path })).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
