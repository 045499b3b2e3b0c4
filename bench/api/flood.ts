import { bucketBody, bucketName, collection } from './bucket.ts'
import { LoadClient } from './load-client.ts'

/** What a flood is told when it begins. */
export interface FloodOrder {
  readonly url: string
  readonly token: string
  /** How many requests it keeps in flight. */
  readonly inFlight: number
  /** How many objects there are to be read. */
  readonly objects: number
}

/** What a flood says when it was stopped. */
export interface FloodResult {
  /** Answers, by what was asked and the status. */
  readonly answers: Readonly<Record<string, number>>
}

/**
 * A process of its own that keeps many requests in flight, of all sorts: half are reads of one object, four in ten creates,
 * and one in ten lists everything. Says `begun` when all are on their way, and ends when it hears anything.
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

// What is created must not make the lists longer.
const otherCollection = collection.replace('/default/', '/kube-public/')
const firstCreated = 1_000_000

process.send!(await flood(JSON.parse(process.argv[2]!) as FloodOrder), () => process.disconnect!())
