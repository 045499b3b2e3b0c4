import type { KubernetesObject } from '@hykube/machinery/object'
import { failureFromStatus, type StatusDocument } from './failure.ts'

/** A change of an object. The object of a BOOKMARK has only a resourceVersion. */
export interface WatchEvent<T extends KubernetesObject = KubernetesObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: T
}

/** Parses a stream of events, one JSON document per line. An ERROR event is thrown as a StatusError. */
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
  // An incomplete last line is dropped: the watcher resumes after the last complete event.
}
