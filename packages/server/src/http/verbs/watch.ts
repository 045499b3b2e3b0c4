import { isAbortError } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { expired, StatusError } from '@hykube/machinery/status'
import type { ObservedBatch, ObservedChange, Subscription } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { BodyWriter, Response } from '../front/index.ts'
import { type ListOptions, listOptionsFrom } from '../list-options.ts'
import { withCluster } from '../presentation/cluster-annotation.ts'
import { formOfWatch } from '../presentation/form.ts'
import { includeObjectFrom } from '../presentation/table.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { revisionFrom } from './list.ts'
import { ListSource } from './list-source.ts'
import { type Selection, selectionFrom } from './selection.ts'
import { type EventForm, eventForm, type WatchEventType } from './watch-event.ts'
import { writeWithin } from './write-within.ts'

/**
 * A stream of what happens to a resource. The client's position is a revision, not a queue: while it does not read, no more
 * than one batch is kept for it. When it is too far behind for the log, or does not read for long, it is told so with a 410
 * inside of the stream, and that is the stream's end.
 */
export async function watch(api: Api, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const options = listOptionsFrom(context.query)
  const form = formOfWatch(target.type, context)
  const selection = selectionFrom(target.type, options)
  const events = eventForm(target, form, includeObjectFrom(context.query), api.clock.now())
  const watching: Watching = { api, target, options, selection, events, turn: context.turn }
  const headers = { 'content-type': events.contentType, 'cache-control': 'no-cache, private' }
  return { status: 200, headers, body: (writer) => run(watching, writer) }
}

interface Watching {
  readonly api: Api
  readonly target: Target
  readonly options: ListOptions
  readonly selection: Selection
  readonly events: EventForm
  /** Resolves when the next piece of what was there before may be read. */
  readonly turn: () => Promise<void>
}

async function run(watching: Watching, writer: BodyWriter): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutOf(watching.options))
  const stop = AbortSignal.any([writer.signal, deadline])
  // A definition that changes or goes ends the watches of its resources; clients look again.
  const end = watching.api.types.endOf(watching.target.type)
  const signal = end === undefined ? stop : AbortSignal.any([stop, end])
  try {
    const after = await begin(watching, writer, signal)
    await follow(watching, after, writer, signal, stop)
  } catch (error) {
    if (signal.aborted || isAbortError(error)) return
    const failure = StatusError.from(error)
    const told = failure.reason === 'Expired' ? expired('too old resource version') : failure
    if (await writeWithin(writer, watching.events.failure(told), patienceOf(watching))) return
    throw new Error('cannot end a watch in good order: its client does not read', { cause: error })
  }
}

async function tell(watching: Watching, writer: BodyWriter, lines: Uint8Array): Promise<void> {
  if (!(await writeWithin(writer, lines, patienceOf(watching)))) throw expired('too old resource version')
}

function patienceOf({ api }: Watching): number {
  return api.watchPatience ?? 30_000
}

// What the client has before the first change: nothing, or the present state, with a bookmark where it asked for one.
async function begin(watching: Watching, writer: BodyWriter, signal: AbortSignal): Promise<number> {
  const { api, target, options, selection, events, turn } = watching
  const { resourceVersion, sendInitialEvents } = options
  const initial = sendInitialEvents ?? (resourceVersion === '' || resourceVersion === '0')
  if (!initial)
    return resourceVersion === '' || resourceVersion === '0' ? api.objects.now() : revisionFrom(resourceVersion)
  const source = new ListSource(api.objects, target, selection, false)
  let piece = await source.read({ revision: undefined, after: undefined }, Number.POSITIVE_INFINITY)
  const { revision } = piece
  for (;;) {
    const lines = (piece.objects ?? []).map((object) => events.encode('ADDED', object))
    if (lines.length > 0) await tell(watching, writer, Buffer.concat(lines))
    if (piece.last === undefined || signal.aborted) break
    await turn()
    piece = await source.read({ revision, after: piece.last }, Number.POSITIVE_INFINITY)
  }
  if (sendInitialEvents && options.allowWatchBookmarks)
    await writer.write(bookmark(target.type, events, revision, true))
  return revision
}

// With its signal aborted a subscription gives what it knows already: what happened before a type ended is still told.
async function follow(
  watching: Watching,
  after: number,
  writer: BodyWriter,
  signal: AbortSignal,
  stop: AbortSignal,
): Promise<void> {
  const { api, target, options } = watching
  const subscription = api.hub.subscribe(target.resource, after)
  const stopBookmarks = options.allowWatchBookmarks ? sendBookmarks(watching, subscription, writer, signal) : () => {}
  try {
    while (!stop.aborted) {
      const lines = await encodeBatch(watching, await subscription.next(signal))
      if (lines.length > 0) await tell(watching, writer, lines)
    }
  } finally {
    stopBookmarks()
    subscription.close()
  }
}

// Watches that want the same, as most do, are given the same bytes.
function encodeBatch(watching: Watching, batch: ObservedBatch): Uint8Array | Promise<Uint8Array> {
  const { target, selection, events } = watching
  if (!selection.all || events.sharedName === undefined) return encodeForOne(watching, batch)
  const { cluster, namespace, name } = target.place
  return batch.encoded(`${events.sharedName}\0${cluster}\0${namespace}\0${name}`, (changes) =>
    joined(changes.filter((each) => isInRange(target, each)).map((each) => events.encodeChange(each, typeOf(each)))),
  )
}

async function encodeForOne(watching: Watching, { changes }: ObservedBatch): Promise<Uint8Array> {
  const lines: Uint8Array[] = []
  for (const change of changes) {
    const encoded = await encodeChange(watching, change)
    if (encoded !== undefined) lines.push(encoded)
  }
  return joined(lines)
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  return lines.length === 1 ? lines[0]! : Buffer.concat(lines)
}

async function encodeChange(watching: Watching, change: ObservedChange): Promise<Uint8Array | undefined> {
  const { target, selection, events } = watching
  if (!isInRange(target, change)) return undefined
  if (selection.all) return events.encodeChange(change, typeOf(change))
  const before = change.previous === undefined ? undefined : await change.previousObject()
  const matched = before !== undefined && selection.matches(before)
  const matches = change.kind === 'put' && selection.matches(change.object)
  if (matches) return events.encodeChange(change, matched ? 'MODIFIED' : 'ADDED')
  // What leaves the selection is deleted for this client, as it was when it last matched.
  if (!matched) return undefined
  const last = atRevision(before, change.revision)
  return events.encode('DELETED', target.allClusters ? withCluster(last, change.place.cluster) : last, change)
}

function typeOf({ kind, previous }: ObservedChange): WatchEventType {
  if (kind === 'delete') return 'DELETED'
  return previous === undefined ? 'ADDED' : 'MODIFIED'
}

function isInRange({ place, allClusters, typeIn }: Target, { place: changed }: ObservedChange): boolean {
  if (allClusters ? typeIn(changed.cluster) === undefined : changed.cluster !== place.cluster) return false
  return (
    (place.namespace === '' || changed.namespace === place.namespace) &&
    (place.name === '' || changed.name === place.name)
  )
}

function atRevision(object: KubernetesObject, revision: number): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
}

const bookmarkInterval = 60_000

function sendBookmarks(
  { target, events }: Watching,
  subscription: Subscription,
  writer: BodyWriter,
  signal: AbortSignal,
): () => void {
  const timer = setInterval(() => {
    const revision = subscription.upToDateWith
    if (revision !== undefined && !signal.aborted && writer.pending === 0)
      void writer.write(bookmark(target.type, events, revision, false))
  }, bookmarkInterval)
  return () => clearInterval(timer)
}

function bookmark(type: ResourceType, events: EventForm, revision: number, initialEventsEnd: boolean): Uint8Array {
  const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  return events.bookmark(type, { resourceVersion: String(revision), creationTimestamp: null, ...annotations })
}

// In milliseconds. Spread between half an hour and an hour, so that watches opened together do not end together.
function timeoutOf({ timeoutSeconds }: ListOptions): number {
  const seconds = timeoutSeconds === undefined || timeoutSeconds === 0 ? 1800 * (1 + Math.random()) : timeoutSeconds
  return Math.round(Math.min(seconds * 1000, longestTimer))
}

const longestTimer = 2 ** 31 - 1
