import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { describeWith } from '../real-parts/index.ts'
import { type KubeApiserver, startKubeApiserver } from '../real-parts/kube-apiserver.ts'
import { ruleCases } from './rule-cases.ts'
import { runRuleCase } from './rule-exchange.ts'

describeWith(['etcd', 'kube-apiserver'], 'rules in definitions, here and in kube-apiserver', () => {
  let kubernetes: KubeApiserver
  let hykube: TestServer

  beforeAll(async () => {
    ;[kubernetes, hykube] = await Promise.all([startKubeApiserver(), startServer()])
  })

  afterAll(async () => {
    await Promise.all([kubernetes?.close(), hykube?.remove()])
  })

  let count = 0
  for (const { title, cases } of ruleCases) {
    describe.concurrent(title, () => {
      test.each(cases.map((each) => [each.name, each, `x${count++}`] as const))('%s', async (_, each, id) => {
        const own = { url: hykube.url, token: hykube.adminToken }
        const [theirs, ours] = await Promise.all([runRuleCase(kubernetes, each, id), runRuleCase(own, each, id)])
        expect(ours).toEqual(theirs)
      })
    })
  }
})
