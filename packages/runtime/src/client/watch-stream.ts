import type { KubernetesObject } from '@hykube/machinery/object'
import { failureFromStatus, type StatusDocument } from './failure.ts'

/** Something that happened to an object. A bookmark's object has a revision and nothing else. */
export interface WatchEvent<T extends KubernetesObject = KubernetesObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: T
}

/** The events of a stream, one JSON document a line. An ERROR event ends it as the failure it holds. */
export async function* eventsFrom<T extends KubernetesObject>(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<WatchEvent<T>> {
  for await (const line of linesFrom(body)) {
    const event = JSON.parse(line) as WatchEvent<T> | { readonly type: 'ERROR'; readonly object: StatusDocument }
    if (event.type === 'ERROR') throw failureFromStatus(event.object)
    yield event
  }
}

async function* linesFrom(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield line
  }
  // A document that was cut off is no event: whoever watches goes on from the one before it.
}
