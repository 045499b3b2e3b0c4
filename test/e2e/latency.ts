import { get } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

/** Asks a server again and again, until it is stopped; tells how long the slowest answer took, in milliseconds. */
export function measureLatency(server: Pick<TestServer, 'url' | 'adminToken'>): { stop(): Promise<number> } {
  let slowest = 0
  let going = true
  const asking = (async () => {
    while (going) {
      const begun = performance.now()
      await ask(server)
      slowest = Math.max(slowest, performance.now() - begun)
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      going = false
      await asking
      return slowest
    },
  }
}

function ask({ url, adminToken }: Pick<TestServer, 'url' | 'adminToken'>): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}` }
  return new Promise((done, fail) => {
    const path = `${url}/api/v1/namespaces/default`
    get(path, { headers, rejectUnauthorized: false }, (answer) => answer.resume().once('end', done)).once('error', fail)
  })
}
