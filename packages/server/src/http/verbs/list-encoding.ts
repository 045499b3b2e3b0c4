import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ObjectCodec, ResourceType } from '@hykube/machinery/resource-type'
import { documentProtobuf } from '../../kinds/index.ts'
import type { AcceptedForm } from '../negotiation.ts'
import { partialMetadata } from '../presentation/partial-metadata.ts'
import { protobufItems } from '../presentation/protobuf.ts'
import { apiVersionOf } from '../presentation/stored-form.ts'
import { type IncludeObject, tableOf } from '../presentation/table.ts'

/** A list's `metadata`. */
export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** How a list is written piece by piece: what comes before its items, each item, and what comes after. */
export interface ListEncoding {
  /** Whether items go out as they are stored. */
  readonly plain: boolean
  /** Fields before the list of items, and the name of it. */
  readonly head: Readonly<Record<string, unknown>>
  readonly itemsField: string
  /** Whether a list that ends says so by an empty token, as those of custom resources do in Kubernetes. */
  readonly tellsEnd: boolean
  item(object: KubernetesObject): unknown
  /** Items in protobuf, one after the other. Only for forms that have one. */
  messages(objects: readonly KubernetesObject[]): Uint8Array
}

export function listEncoding(
  type: ResourceType,
  { as }: AcceptedForm,
  include: IncludeObject,
  now: number,
): ListEncoding {
  if (as === undefined) {
    const head = { kind: type.names.listKind, apiVersion: apiVersionOf(type) }
    const tellsEnd = type.protobuf === undefined
    const item = (object: KubernetesObject) => object
    return { plain: true, head, itemsField: 'items', tellsEnd, item, ...messagesOf(type.protobuf?.()) }
  }
  if (as.kind === 'Table') {
    const { rows: _, metadata: __, ...head } = tableOf(type, [], {}, { version: as.version, include, now })
    const item = (object: KubernetesObject) =>
      tableOf(type, [object], {}, { version: as.version, include, now, withoutHeader: true }).rows[0]
    return { plain: false, head, itemsField: 'rows', tellsEnd: false, item, ...messagesOf(undefined) }
  }
  const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${as.version}` }
  const messages = messagesOf(documentProtobuf('meta.k8s.io/v1', 'PartialObjectMetadata'))
  const item = (object: KubernetesObject) => partialMetadata(object, as.version)
  return { plain: false, head, itemsField: 'items', tellsEnd: false, item, ...messages }
}

function messagesOf(codec: ObjectCodec | undefined): Pick<ListEncoding, 'messages'> {
  return {
    messages: (objects) => {
      if (codec === undefined) throw new Error('cannot write a list in protobuf: its kind has no such form')
      return protobufItems(objects.map((object) => codec.encodeItem(object)))
    },
  }
}

/** The text before the first item. The metadata stands here when it is known before the items are. */
export function openList({ head, itemsField }: ListEncoding, metadata: ListMeta | undefined): string {
  const fields = stringifyJson({ ...head, ...(metadata === undefined ? {} : { metadata }) } as unknown as JsonValue)
  return `${fields.slice(0, -1)},${JSON.stringify(itemsField)}:[`
}

/** The text after the last item. */
export function closeList(metadata: ListMeta | undefined): string {
  return metadata === undefined ? ']}\n' : `],"metadata":${JSON.stringify(metadata)}}\n`
}
