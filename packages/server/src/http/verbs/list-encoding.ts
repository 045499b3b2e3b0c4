import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { AcceptedForm } from '../negotiation.ts'
import { partialMetadata } from '../presentation/partial-metadata.ts'
import { apiVersionOf } from '../presentation/stored-form.ts'
import { type IncludeObject, tableOf } from '../presentation/table.ts'

/** A list's `metadata`. */
export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** How a list is written in JSON piece by piece: what comes before its items, each item, and what comes after. */
export interface ListEncoding {
  /** Whether items go out as they are stored. */
  readonly plain: boolean
  /** Fields before the list of items, and the name of it. */
  readonly head: Readonly<Record<string, unknown>>
  readonly itemsField: string
  item(object: KubernetesObject): unknown
}

export function listEncoding(
  type: ResourceType,
  { as }: AcceptedForm,
  include: IncludeObject,
  now: number,
): ListEncoding {
  if (as === undefined) {
    const head = { kind: type.names.listKind, apiVersion: apiVersionOf(type) }
    return { plain: true, head, itemsField: 'items', item: (object) => object }
  }
  if (as.kind === 'Table') {
    const { rows: _, metadata: __, ...head } = tableOf(type, [], {}, { version: as.version, include, now })
    const item = (object: KubernetesObject) =>
      tableOf(type, [object], {}, { version: as.version, include, now, withoutHeader: true }).rows[0]
    return { plain: false, head, itemsField: 'rows', item }
  }
  const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${as.version}` }
  return { plain: false, head, itemsField: 'items', item: (object) => partialMetadata(object, as.version) }
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
