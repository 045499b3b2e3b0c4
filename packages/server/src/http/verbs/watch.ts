import { isAbortError } from '@hykube/machinery/base'
import type { ResourceType, View } from '@hykube/machinery/resource-type'
import { expired, StatusError } from '@hykube/machinery/status'
import type { UserInfo } from '../../auth/index.ts'
import type { ObservedBatch, ObservedChange, Subscription } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { Turns } from '../flow-control/fair-seats.ts'
import type { BodyWriter, Response } from '../front/index.ts'
import { type ListOptions, listOptionsFrom } from '../list-options.ts'
import { withCluster } from '../presentation/cluster-annotation.ts'
import { formOfWatch } from '../presentation/form.ts'
import { includeObjectFrom } from '../presentation/table.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { revisionFrom } from './list.ts'
import { listReader } from './lists/list-reader.ts'
import { type Selection, selectionFrom } from './lists/selection.ts'
import { VisibleRows } from './lists/visible-rows.ts'
import { RowChanges } from './watches/row-changes.ts'
import { atRevision, rowEvent } from './watches/row-events.ts'
import { type EventForm, eventForm, typeOfChange } from './watches/watch-event.ts'
import { writeWithin } from './write-within.ts'

/**
 * Streams the changes of a resource. The position of a client is a revision, not a queue: while the client does not
 * read, at most one batch is kept for it. When the log no longer has its position, or it does not read for too long,
 * the stream ends with a 410 event.
 */
export async function watch(api: Api, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const options = listOptionsFrom(context.query)
  const form = formOfWatch(target.type, context)
  const selection = selectionFrom(target.type, options)
  const events = eventForm(target, form, includeObjectFrom(context.query), api.clock.now())
  const watching: Watching = { api, target, options, selection, events, turns: context.turns, user: context.user }
  const headers = { 'content-type': events.contentType, 'cache-control': 'no-cache, private' }
  return { status: 200, headers, body: (writer) => run(watching, writer) }
}

interface Watching {
  readonly api: Api
  readonly target: Target
  readonly options: ListOptions
  readonly selection: Selection
  readonly events: EventForm
  readonly turns: Turns
  readonly user: UserInfo
}

async function run(watching: Watching, writer: BodyWriter): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutOf(watching.options))
  const stop = AbortSignal.any([writer.signal, deadline])
  const rowChanges = rowChangesOf(watching)
  // A change or deletion of a definition ends the watches of its resources; clients then list again.
  const end = rowChanges?.signal ?? watching.api.types.endOf(watching.target.type)
  const signal = end === undefined ? stop : AbortSignal.any([stop, end])
  try {
    const after = await begin(watching, writer, signal)
    await follow(watching, after, writer, signal, stop)
  } catch (error) {
    const mustListAgain = !stop.aborted && rowChanges?.signal.aborted === true
    if (!mustListAgain && (signal.aborted || isAbortError(error))) return
    const failure = mustListAgain ? expired('') : StatusError.from(error)
    const status = failure.reason === 'Expired' ? expired('too old resource version') : failure
    if (await writeWithin(writer, watching.events.failure(status), writeTimeoutOf(watching))) return
    throw new Error('cannot send the end of a watch: its client does not read', { cause: error })
  } finally {
    rowChanges?.close()
  }
}

function rowChangesOf({ api, target, user }: Watching): RowChanges | undefined {
  const { view } = target.type
  return view && new RowChanges(api.authorizer, user, view, target.place)
}

async function write(watching: Watching, writer: BodyWriter, lines: Uint8Array): Promise<void> {
  if (!(await writeWithin(writer, lines, writeTimeoutOf(watching)))) throw expired('too old resource version')
}

function writeTimeoutOf({ api }: Watching): number {
  return api.watchWriteTimeout ?? 30_000
}

// Sends the initial state where requested, with a bookmark after it, and returns the revision to watch from.
async function begin(watching: Watching, writer: BodyWriter, signal: AbortSignal): Promise<number> {
  const { api, target, options, selection, events, turns } = watching
  const { resourceVersion, sendInitialEvents } = options
  const initial = sendInitialEvents ?? (resourceVersion === '' || resourceVersion === '0')
  if (!initial) return startOf(watching)
  const source = listReader(api, watching, target, selection, 'watch', false)
  let piece = await source.read({ revision: undefined, after: undefined }, Number.POSITIVE_INFINITY)
  const { revision } = piece
  for (;;) {
    const lines = (piece.objects ?? []).map((object) => events.encode('ADDED', object))
    if (lines.length > 0) await write(watching, writer, Buffer.concat(lines))
    if (piece.last === undefined || signal.aborted) break
    await turns.next()
    piece = await source.read({ revision, after: piece.last }, Number.POSITIVE_INFINITY)
  }
  if (sendInitialEvents && options.allowWatchBookmarks)
    await writer.write(bookmark(target.type, events, revision, true))
  return revision
}

async function startOf({ api, target, options: { resourceVersion } }: Watching): Promise<number> {
  if (resourceVersion === '' || resourceVersion === '0') return api.objects.now()
  const revision = revisionFrom(resourceVersion)
  // The client listed the rows with other permissions than it has now.
  if (target.type.view !== undefined && revision < api.authorizer.changedAt(target.place.cluster))
    throw expired('too old resource version')
  return revision
}

// After its signal aborts, a subscription still returns the changes it has: those before the end of a type are sent.
async function follow(
  watching: Watching,
  after: number,
  writer: BodyWriter,
  signal: AbortSignal,
  stop: AbortSignal,
): Promise<void> {
  const { api, target, options } = watching
  const { view } = target.type
  const subscription =
    view === undefined ? api.hub.subscribe(target.resource, after) : api.hub.subscribeToGroups(view.groupSuffix, after)
  const stopBookmarks = options.allowWatchBookmarks ? sendBookmarks(watching, subscription, writer, signal) : () => {}
  try {
    while (!stop.aborted) {
      const lines = await encodeBatch(watching, await subscription.next(signal))
      if (lines.length > 0) await write(watching, writer, lines)
    }
  } finally {
    stopBookmarks()
    subscription.close()
  }
}

// Watches with equal selection share the encoded bytes; most watches do.
function encodeBatch(watching: Watching, batch: ObservedBatch): Uint8Array | Promise<Uint8Array> {
  const { target, selection, events } = watching
  if (target.type.view !== undefined) return encodeRows(watching, target.type.view, batch)
  if (!selection.all || events.sharedName === undefined) return encodeForOne(watching, batch)
  const { cluster, namespace, name } = target.place
  return batch.encoded(`${events.sharedName}\0${cluster}\0${namespace}\0${name}`, (changes) =>
    joined(
      changes.filter((each) => isInRange(target, each)).map((each) => events.encodeChange(each, typeOfChange(each))),
    ),
  )
}

// Permissions are looked up anew for each batch.
async function encodeRows(watching: Watching, view: View, { changes }: ObservedBatch): Promise<Uint8Array> {
  const { api, user, target, selection, events } = watching
  const rows = new VisibleRows({ authorizer: api.authorizer, user, verb: 'watch', view, target, selection })
  const lines: Uint8Array[] = []
  for (const change of changes) {
    const line = isInRange(target, change) ? await rowEvent(rows, selection, events, change) : undefined
    if (line !== undefined) lines.push(line)
  }
  return joined(lines)
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
  if (selection.all) return events.encodeChange(change, typeOfChange(change))
  const before = change.previous === undefined ? undefined : await change.previousObject()
  const matched = before !== undefined && selection.matches(before)
  const matches = change.kind === 'put' && selection.matches(change.object)
  if (matches) return events.encodeChange(change, matched ? 'MODIFIED' : 'ADDED')
  // An object that leaves the selection is sent as deleted, in its last matching state.
  if (!matched) return undefined
  const last = atRevision(before, change.revision)
  return events.encode('DELETED', target.allClusters ? withCluster(last, change.place.cluster) : last, change)
}

function isInRange({ place, allClusters, typeIn }: Target, { place: changed }: ObservedChange): boolean {
  if (allClusters ? typeIn(changed.cluster) === undefined : changed.cluster !== place.cluster) return false
  return (
    (place.namespace === '' || changed.namespace === place.namespace) &&
    (place.name === '' || changed.name === place.name)
  )
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
