import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { describeWith } from '../real-parts/index.ts'
import { type KubeApiserver, startKubeApiserver } from '../real-parts/kube-apiserver.ts'
import { ask, type Server } from './exchange.ts'
import { knownDifferences } from './known-differences.ts'
import { normalised } from './normalise.ts'
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
    for (const each of requestCases) {
      const [theirs, ours] = await Promise.all(servers.map(async (server) => normalised(await ask(server, each))))
      if (JSON.stringify(theirs) !== JSON.stringify(ours)) different.push(each.name)
      if (each.name === 'make a definition') await Promise.all(servers.map(served))
    }
    expect(different.toSorted()).toEqual(Object.values(knownDifferences).flat().toSorted())
  }, 120_000)
})

async function served(server: Server): Promise<void> {
  const path = '/apis/diff.example.com/v1/namespaces/diff/things'
  while ((await ask(server, { method: 'GET', path })).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
