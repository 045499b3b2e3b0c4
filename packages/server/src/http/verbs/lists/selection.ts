import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import {
  exactFieldValue,
  type FieldSelector,
  fieldSelectorFromText,
  type LabelSelector,
  labelSelectorFromText,
  SelectorError,
  selectEverything,
  selectsFields,
  selectsLabels,
} from '@hykube/machinery/selector'
import { badRequest } from '@hykube/machinery/status'
import type { ListOptions } from '../../list-options.ts'

/** Selected objects of a range. */
export interface Selection {
  /** True when every object is selected: then none needs to be parsed. */
  readonly all: boolean
  /** The single name demanded by a field selector. */
  readonly name: string | undefined
  /** The single namespace demanded by a field selector. */
  readonly namespace: string | undefined
  matches(object: KubernetesObject): boolean
  /** False when no object with these values of fields matches; values of other fields are not known. */
  couldMatch(known: ReadonlyMap<string, string>): boolean
}

/** Parses the selectors of a list or watch for a type. Throws 400 for malformed selectors and unsupported fields. */
export function selectionFrom(type: ResourceType, { labelSelector, fieldSelector }: ListOptions): Selection {
  const labels = labelSelector === '' ? selectEverything : readSelector(() => labelSelectorFromText(labelSelector))
  const fields = fieldSelector === '' ? [] : readSelector(() => fieldSelectorFromText(fieldSelector))
  for (const { field } of fields) if (!isSelectable(type, field)) throw badRequest(unselectable(type, field))
  return {
    all: labelSelector === '' && fields.length === 0,
    name: exactFieldValue(fields, 'metadata.name'),
    namespace: exactFieldValue(fields, 'metadata.namespace'),
    matches: (object) => matches(type, labels, fields, object),
    couldMatch: (known) =>
      selectsFields(
        fields.filter(({ field }) => known.has(field)),
        (field) => known.get(field),
      ),
  }
}

function matches(type: ResourceType, labels: LabelSelector, fields: FieldSelector, object: KubernetesObject): boolean {
  return (
    selectsLabels(labels, object.metadata?.labels) && selectsFields(fields, (field) => readField(type, object, field))
  )
}

function readField(type: ResourceType, object: KubernetesObject, field: string): string | undefined {
  if (field === 'metadata.name') return object.metadata?.name
  if (field === 'metadata.namespace') return object.metadata?.namespace
  return type.selectableFields.get(field)?.(object)
}

// For built-in kinds without own selectable fields, Kubernetes' message names the two that all kinds have.
function unselectable({ protobuf, selectableFields }: ResourceType, field: string): string {
  if (protobuf === undefined || selectableFields.size > 0) return `field label not supported: ${field}`
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}

function isSelectable(type: ResourceType, field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace' || type.selectableFields.has(field)
}

function readSelector<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
}
