import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ObjectCodec, ResourceType } from '@hykube/machinery/resource-type'
import { documentProtobuf } from '../../../kinds/index.ts'
import type { AcceptedForm } from '../../negotiation.ts'
import { partialMetadata } from '../../presentation/partial-metadata.ts'
import { protobufItems } from '../../presentation/protobuf.ts'
import { apiVersionOf } from '../../presentation/stored-form.ts'
import { type IncludeObject, tableOf } from '../../presentation/table.ts'

/** A list's `metadata`. */
export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** Encodes a list piece by piece: start, items, end. */
export interface ListEncoding {
  /** True when items are sent as they are stored. */
  readonly plain: boolean
  /** Fields before the items; `itemsField` is the name of the field with the items. */
  readonly head: Readonly<Record<string, unknown>>
  readonly itemsField: string
  /** True when the last page has an empty `continue`, as lists of custom resources have in Kubernetes. */
  readonly marksLastPage: boolean
  item(object: KubernetesObject): unknown
  /** Encodes items in protobuf, concatenated. Only for forms that have protobuf. */
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
    const marksLastPage = type.protobuf === undefined
    const item = (object: KubernetesObject) => object
    return { plain: true, head, itemsField: 'items', marksLastPage, item, ...messagesOf(type.protobuf?.()) }
  }
  if (as.kind === 'Table') {
    const { rows: _, metadata: __, ...head } = tableOf(type, [], {}, { version: as.version, include, now })
    const item = (object: KubernetesObject) =>
      tableOf(type, [object], {}, { version: as.version, include, now, withoutHeader: true }).rows[0]
    return { plain: false, head, itemsField: 'rows', marksLastPage: false, item, ...messagesOf(undefined) }
  }
  const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${as.version}` }
  const messages = messagesOf(documentProtobuf('meta.k8s.io/v1', 'PartialObjectMetadata'))
  const item = (object: KubernetesObject) => partialMetadata(object, as.version)
  return { plain: false, head, itemsField: 'items', marksLastPage: false, item, ...messages }
}

function messagesOf(codec: ObjectCodec | undefined): Pick<ListEncoding, 'messages'> {
  return {
    messages: (objects) => {
      if (codec === undefined) throw new Error('cannot encode a list in protobuf: its kind has no protobuf form')
      return protobufItems(objects.map((object) => codec.encodeItem(object)))
    },
  }
}

/** Text before the first item; includes the metadata when it is known before the items. */
export function openList({ head, itemsField }: ListEncoding, metadata: ListMeta | undefined): string {
  const fields = stringifyJson({ ...head, ...(metadata === undefined ? {} : { metadata }) } as unknown as JsonValue)
  return `${fields.slice(0, -1)},${JSON.stringify(itemsField)}:[`
}

/** Text after the last item. */
export function closeList(metadata: ListMeta | undefined): string {
  return metadata === undefined ? ']}\n' : `],"metadata":${JSON.stringify(metadata)}}\n`
}
