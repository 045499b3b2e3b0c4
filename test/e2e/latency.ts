import { existsSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestServer } from './server.ts'

/** Times of reads, in milliseconds. */
export interface Latency {
  readonly slowest: number
  readonly p99: number
}

/** Reads from a server again and again until it is stopped. Another clock than that of the wall may time the reads. */
export function measureLatency(
  server: Pick<TestServer, 'url' | 'adminToken'>,
  now: () => number = () => performance.now(),
): { stop(): Promise<Latency> } {
  // Clients keep their connection; a handshake would add several turns of the event loop to each read.
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  const times: number[] = []
  let going = true
  const asking = (async () => {
    while (going) {
      const begun = now()
      await ask(server, agent)
      times.push(now() - begun)
      await sleep(5)
    }
  })()
  return {
    stop: async () => {
      going = false
      await asking
      agent.destroy()
      times.sort((a, b) => b - a)
      return { slowest: times[0] ?? 0, p99: times[Math.floor(times.length / 100)] ?? 0 }
    },
  }
}

/**
 * Returns the clock of a process's main thread: it runs only while the thread has a processor, so other work on the machine
 * does not count. Outside of Linux it is the clock of the wall.
 */
export function mainThreadClock(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(file)) return () => performance.now()
  return () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}

function ask({ url, adminToken }: Pick<TestServer, 'url' | 'adminToken'>, agent: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}` }
  return new Promise((done, fail) => {
    const path = `${url}/api/v1/namespaces/default`
    get(path, { headers, agent }, (answer) => answer.resume().once('end', done)).once('error', fail)
  })
}
