import { ageOf } from '@hykube/machinery/amounts'
import { groupVersionToText, type KubernetesObject } from '@hykube/machinery/object'
import {
  type ResourceNames,
  type ResourceType,
  schemaResourceType,
  type TableColumns,
  type Verb,
} from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import { conditionStatus, kindGroup, kindVersion, readyCell, reasonCell } from '../../provider/index.ts'
import { type ServedKinds, typeText } from '../kind-catalogue.ts'
import type { ResourceRow } from './resource-row.ts'
import { resourceView } from './resource-view.ts'

/** The kind `Resource`: a row for every object of any kind of a provider, read only. */
export function resourceType(kinds: ServedKinds): ResourceType {
  const group = 'hykube.io'
  const version = 'v1alpha1'
  const names = { ...kindNames, plural: 'resources', singular: 'resource', categories: ['hykube'] }
  return rowType({ group, version, names }, kinds)
}

/**
 * The same rows for one Provider, as a resource of its name in its group. Undefined when a kind of the provider has one of
 * its names: that kind keeps it.
 */
export function providerRowsType(
  kinds: ServedKinds,
  provider: string,
  others: Iterable<Pick<ResourceType, 'names'>>,
): ResourceType | undefined {
  const names = { ...kindNames, plural: provider, singular: provider, categories: [] }
  const wanted = [provider, names.kind.toLowerCase(), names.listKind.toLowerCase()]
  for (const { names: taken } of others) {
    const { plural, singular, kind, listKind, shortNames } = taken
    const lower = [plural, singular, kind, listKind, ...shortNames].map((name) => name.toLowerCase())
    if (wanted.some((name) => lower.includes(name))) return undefined
  }
  return rowType({ group: kindGroup(provider, 'managed'), version: kindVersion, names }, kinds, provider)
}

const kindNames = { kind: 'Resource', listKind: 'ResourceList', shortNames: [] } as const

function rowType(
  { group, version, names }: { readonly group: string; readonly version: string; readonly names: ResourceNames },
  kinds: ServedKinds,
  provider?: string,
): ResourceType {
  const type = schemaResourceType({
    group,
    version,
    names,
    namespaced: true,
    schema,
    schemaVersion: '1',
    columns,
    hasStatus: false,
  })
  return {
    ...type,
    verbs,
    selectableFields,
    view: resourceView(kinds, groupVersionToText({ group, version }), provider),
  }
}

const verbs: readonly Verb[] = ['get', 'list', 'watch']

const selectableFields: ResourceType['selectableFields'] = new Map([
  ['type', typeOf],
  ['provider', providerOf],
  ...['ready', 'applied', 'drifted', 'stalled'].map((field) => [field, conditionField(field)] as const),
])

function conditionField(field: string): (row: KubernetesObject) => string {
  const type = `${field.slice(0, 1).toUpperCase()}${field.slice(1)}`
  return (row) => conditionStatus(row, type)
}

function typeOf(row: KubernetesObject): string {
  const { mode, type } = (row as ResourceRow).spec
  return typeText(mode === 'data', type)
}

function providerOf(row: KubernetesObject): string {
  return (row as ResourceRow).spec.provider
}

const columns: TableColumns = {
  definitions: [
    ['Type', 'The type of the resource by the name of its provider; data sources begin with data.'],
    ['Name', 'The name of the object; its row is named TYPE.NAME.'],
    ['Ready', 'Whether it is there as it was applied; of several instances, how many are.'],
    ['Applied', 'Whether what is wanted now was applied.'],
    ['Reason', 'Why it is or is not ready; Terminating once it is marked for deletion.'],
    ['Drifted', 'Whether the real resource differs from what was applied.'],
    ['Provider', 'The name of the Provider.'],
    ['Age', 'When the object was created.'],
  ].map(([name = '', description = '']) => ({
    name,
    type: 'string',
    // No column has the format `name`: kubectl would put the kind `resource` before a name that is not the row's.
    format: '',
    description,
    priority: 0,
  })),
  cells: (row, now) => [
    typeOf(row),
    (row as ResourceRow).spec.objectRef.name,
    readyCell(row),
    conditionStatus(row, 'Applied'),
    reasonCell(row),
    conditionStatus(row, 'Drifted'),
    providerOf(row),
    ageOf(row.metadata?.creationTimestamp, now),
  ],
}

const text = (description: string): JsonSchema => ({ type: 'string', description })

const schema: JsonSchema = {
  type: 'object',
  description:
    'A row for an object of any kind of a provider, with its labels and conditions, named by its address. Read only, and shown to users who may read the object itself.',
  properties: {
    spec: {
      type: 'object',
      properties: {
        type: text("The type by the provider's name, as aws_vpc."),
        mode: text('managed for a resource, data for a data source.'),
        provider: text('The name of the Provider.'),
        objectRef: {
          type: 'object',
          description: 'The object itself, in the namespace of the row.',
          properties: {
            apiVersion: text('Its group and version.'),
            kind: text('Its kind.'),
            resource: text('The plural of its kind.'),
            name: text('Its name.'),
          },
        },
        references: {
          type: 'array',
          items: { type: 'string' },
          description: 'The addresses of the resources that the object refers to.',
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        conditions: {
          type: 'array',
          description: 'The conditions of the object: Ready, Applied, Drifted, Stalled.',
          items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        instances: {
          type: 'object',
          description: 'For an object with count or for_each.',
          properties: {
            total: { type: 'integer', description: 'How many instances there are.' },
            ready: { type: 'integer', description: 'How many of them are ready.' },
          },
        },
      },
    },
  },
}
