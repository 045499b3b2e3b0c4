import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import { badRequest, expired, StatusError } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import { type ContinueToken, continueTokenFromText, continueTokenToText } from '../continue-token.ts'
import type { BodyWriter, Response } from '../front/index.ts'
import { type ListOptions, listOptionsFrom } from '../list-options.ts'
import { formOfList, wantsPretty } from '../presentation/form.ts'
import { includeObjectFrom } from '../presentation/table.ts'
import type { ResourcePath } from '../request-path.ts'
import { jsonBytes } from '../respond.ts'
import type { Target } from '../target.ts'
import { closeList, type ListEncoding, listEncoding, openList } from './lists/list-encoding.ts'
import { streamedProtobufList } from './lists/list-protobuf.ts'
import { listReader } from './lists/list-reader.ts'
import { metadataAfter, piecesFrom, type Reading } from './lists/list-reading.ts'
import type { ListPiece } from './lists/list-source.ts'
import { textList } from './lists/list-text.ts'
import { type Selection, selectionFrom } from './lists/selection.ts'

/**
 * GET of a collection. The first piece is read before the response starts, so that errors can still be reported. A
 * longer list is streamed in short reads and never held in memory.
 */
export async function list(api: Api, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const options = listOptionsFrom(context.query)
  const form = formOfList(target.type, context)
  const selection = selectionFrom(target.type, options)
  const encoding = listEncoding(target.type, form, includeObjectFrom(context.query), api.clock.now())
  const reading: Reading = {
    source: listReader(api, context, target, selection, 'list', encoding.plain && form.media !== 'protobuf'),
    encoding,
    limit: options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit,
    counted: isCounted(target, selection),
    turns: context.turns,
    ...(await startOf(api, options)),
  }
  const first = await firstPiece(reading, options)
  if (form.media === 'protobuf') return streamedProtobufList(reading, first)
  if (form.media === 'yaml' || wantsPretty(context)) return textList(reading, first, form.media)
  if (isComplete(reading, first)) return { ...jsonBytes(200, await onePiece(reading, first)), compressible: true }
  return { ...jsonBytes(200, (writer) => stream(reading, first, writer)), compressible: true }
}

// Rows are not counted: the number would include those that the user may not see.
function isCounted({ type, place, allClusters }: Target, { all }: Selection): boolean {
  return all && type.view === undefined && !(allClusters && place.namespace !== '')
}

async function startOf(api: Api, options: ListOptions): Promise<Pick<Reading, 'position' | 'before'>> {
  const { resourceVersion, continueToken, match, limit } = options
  if (continueToken !== '') {
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue')
    const { revision, before, ...after } = continueTokenFromText(continueToken)
    return { position: { revision: revision === -1 ? undefined : revision, after }, before }
  }
  if (resourceVersion === '' || resourceVersion === '0') return fromNow
  const revision = revisionFrom(resourceVersion)
  if (match === 'Exact' || (match === undefined && limit > 0))
    return { position: { revision, after: undefined }, before: 0 }
  if (revision > (await api.objects.now())) throw tooLargeResourceVersion(revision)
  return fromNow
}

const fromNow: Pick<Reading, 'position' | 'before'> = { position: { revision: undefined, after: undefined }, before: 0 }

/** Parses a resource version. One beyond safe integers is treated like a revision that was not reached yet. */
export function revisionFrom(resourceVersion: string): number {
  const revision = Number(resourceVersion)
  if (!Number.isSafeInteger(revision)) throw tooLargeResourceVersion(resourceVersion)
  return revision
}

/** Error for a revision that was not reached yet. */
function tooLargeResourceVersion(revision: number | string): StatusError {
  return new StatusError('Timeout', `Too large resource version: ${revision}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
}

async function firstPiece(reading: Reading, { continueToken }: ListOptions): Promise<ListPiece> {
  try {
    return await reading.source.read(reading.position, reading.limit)
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'Expired') throw error
    if (continueToken === '') throw expired('The resourceVersion for the provided list is too old.')
    throw new ExpiredList(continueTokenFromText(continueToken))
  }
}

/**
 * The list's revision was compacted. The Status has a token that continues at the same position with the newest
 * revision.
 */
class ExpiredList extends StatusError {
  readonly token: ContinueToken

  constructor(token: ContinueToken) {
    super(
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    )
    this.token = token
  }
}

/** Returns metadata for the Status of an error: the token of an expired list. */
export function failureMetadata(error: unknown): { readonly continue?: string } {
  if (!(error instanceof ExpiredList)) return {}
  return { continue: continueTokenToText({ ...error.token, revision: -1 }) }
}

function isComplete({ limit }: Reading, { last, count }: ListPiece): boolean {
  return last === undefined || count >= limit
}

async function onePiece(reading: Reading, piece: ListPiece): Promise<Uint8Array> {
  const metadata = await metadataAfter(reading, piece, piece.count)
  return Buffer.concat([
    Buffer.from(openList(reading.encoding, metadata)),
    itemBytes(reading.encoding, piece),
    Buffer.from(closeList(undefined)),
  ])
}

// Without a limit the metadata is known at the start. With a limit it depends on the last item, so it is written at the
// end.
async function stream(reading: Reading, first: ListPiece, writer: BodyWriter): Promise<void> {
  const unlimited = reading.limit === Number.POSITIVE_INFINITY
  const metadata = unlimited ? { resourceVersion: String(first.revision) } : undefined
  await writer.write(Buffer.from(openList(reading.encoding, metadata)))
  let last = first
  let count = 0
  for await (const piece of piecesFrom(reading, first)) {
    if (piece.count > 0 && count > 0) await writer.write(comma)
    if (piece.count > 0) await writer.write(itemBytes(reading.encoding, piece))
    count += piece.count
    last = piece
    if (writer.signal.aborted) return
  }
  await writer.write(Buffer.from(closeList(unlimited ? undefined : await metadataAfter(reading, last, count))))
}

function itemBytes(encoding: ListEncoding, { joined, objects = [] }: ListPiece): Uint8Array {
  if (joined !== undefined) return joined
  return Buffer.from(objects.map((object) => stringifyJson(encoding.item(object) as JsonValue)).join(','))
}

const comma = Buffer.from(',')
