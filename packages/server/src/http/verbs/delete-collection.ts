import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { StatusError } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { BodyWriter, Response } from '../front/index.ts'
import { listOptionsFrom } from '../list-options.ts'
import { encode, formOfList, wantsPretty } from '../presentation/form.ts'
import { includeObjectFrom } from '../presentation/table.ts'
import type { ResourcePath } from '../request-path.ts'
import { jsonBytes } from '../respond.ts'
import type { Target } from '../target.ts'
import { deleteObject } from './delete-object.ts'
import { type DeleteOptions, deleteOptionsFrom } from './delete-options.ts'
import { closeList, type ListEncoding, type ListMeta, listEncoding, openList } from './lists/list-encoding.ts'
import { protobufList } from './lists/list-protobuf.ts'
import { type ListPiece, ListSource } from './lists/list-source.ts'
import { selectionFrom } from './lists/selection.ts'

/** DELETE of a collection: deletes all selected objects, page by page. */
export async function deleteCollection(
  api: Api,
  context: RequestContext<ResourcePath>,
  target: Target,
): Promise<Response> {
  const form = formOfList(target.type, context)
  const encoding = listEncoding(target.type, form, includeObjectFrom(context.query), api.clock.now())
  const options = await deleteOptionsFrom(context)
  const selection = selectionFrom(target.type, listOptionsFrom(context.query))
  const source = new ListSource(api.objects, target, selection, context.turns, false)
  const deleted: KubernetesObject[] = []
  let piece: ListPiece | undefined
  do {
    piece = await source.read({ revision: piece?.revision, after: piece?.last }, Number.POSITIVE_INFINITY)
    for (const object of piece.objects ?? []) deleted.push(...(await deleteOne(api, context, target, object, options)))
  } while (piece.last !== undefined)
  const metadata = { resourceVersion: String(await api.objects.now()) }
  if (form.media === 'protobuf') return protobufList(encoding, metadata, [encoding.messages(deleted)])
  if (deleted.length > fewObjects && form.media === 'json' && !wantsPretty(context))
    return { ...jsonBytes(200, (writer) => stream(context, encoding, metadata, deleted, writer)), compressible: true }
  const items = deleted.map((object) => encoding.item(object))
  return encode(200, { ...encoding.head, metadata, [encoding.itemsField]: items }, form, context)
}

const fewObjects = 100

// A long response is written in pieces, with a turn for other requests in between.
async function stream(
  context: RequestContext,
  encoding: ListEncoding,
  metadata: ListMeta,
  deleted: readonly KubernetesObject[],
  writer: BodyWriter,
): Promise<void> {
  await writer.write(Buffer.from(openList(encoding, metadata)))
  for (let start = 0; start < deleted.length && !writer.signal.aborted; start += fewObjects) {
    const items = deleted.slice(start, start + fewObjects)
    const text = items.map((object) => stringifyJson(encoding.item(object) as JsonValue)).join(',')
    await writer.write(Buffer.from(start === 0 ? text : `,${text}`))
    await context.turns.next()
  }
  await writer.write(Buffer.from(closeList(undefined)))
}

// An object that is gone by now is no failure.
async function deleteOne(
  api: Api,
  context: RequestContext,
  target: Target,
  { metadata = {} }: KubernetesObject,
  options: DeleteOptions,
): Promise<KubernetesObject[]> {
  const place = { ...target.place, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
  try {
    return [(await deleteObject(api, context, { ...target, place }, options)).object]
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return []
    throw error
  }
}
