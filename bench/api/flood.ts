import { bucketBody, bucketName, collection } from './bucket.ts'
import { LoadClient } from './load-client.ts'

/** Parameters of a flood. */
export interface FloodOrder {
  readonly url: string
  readonly token: string
  /** Concurrent requests. */
  readonly inFlight: number
  /** Number of existing objects to read. */
  readonly objects: number
}

/** Result of a flood, sent when it is stopped. */
export interface FloodResult {
  /** Number of responses by kind of request and status. */
  readonly answers: Readonly<Record<string, number>>
}

/**
 * A process that keeps many requests in flight: half are reads of one object, four in ten creates, one in ten lists
 * everything. It sends `begun` when all are in flight, and stops on any message.
 */
async function flood({ url, token, inFlight, objects }: FloodOrder): Promise<FloodResult> {
  const client = await LoadClient.connect(url, token, Math.ceil(inFlight / 125))
  const answers: Record<string, number> = {}
  let created = firstCreated
  let stopped = false
  process.once('message', () => {
    stopped = true
  })
  const send = (at: number) => {
    if (at % 10 === 0) return client.request('GET', collection)
    if (at % 10 < 6) return client.request('GET', `${collection}/${bucketName(Math.floor(Math.random() * objects))}`)
    return client.request('POST', otherCollection, bucketBody(created++))
  }
  const keepAsking = async (at: number) => {
    while (!stopped) {
      const { status } = await send(at)
      const name = `${at % 10 === 0 ? 'list' : at % 10 < 6 ? 'get' : 'create'} ${status}`
      answers[name] = (answers[name] ?? 0) + 1
    }
  }
  const workers = Array.from({ length: inFlight }, (_, at) => keepAsking(at))
  process.send!('begun')
  await Promise.all(workers)
  client.close()
  return { answers }
}

// Created objects go to another namespace, so that the measured lists do not grow.
const otherCollection = collection.replace('/default/', '/kube-public/')
const firstCreated = 1_000_000

process.send!(await flood(JSON.parse(process.argv[2]!) as FloodOrder), () => process.disconnect!())
