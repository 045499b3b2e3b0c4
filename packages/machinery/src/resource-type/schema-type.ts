import type { JsonObject } from '../json/index.ts'
import { groupVersionToText, type KubernetesObject, withTypedMetadata } from '../object/index.ts'
import { type JsonSchema, pruneObject, schemaToTypeShape, schemaValidator, setSchemaDefaults } from '../schema/index.ts'
import type { StatusCause } from '../status/index.ts'
import { defaultStrategy } from './default-strategy.ts'
import type { ResourceNames, ResourceType, Strategy, Subresource, TableColumns, Verb } from './resource-type.ts'

/** What a kind that is told by a schema is made of. */
export interface SchemaTypeOptions {
  readonly group: string
  readonly version: string
  readonly names: ResourceNames
  readonly namespaced: boolean
  /** The structural schema of its objects. Written by hand and never changed while the server runs. */
  readonly schema: JsonSchema
  /** Differs whenever the schema does, between releases too. */
  readonly schemaVersion: string
  readonly columns: TableColumns
  /** Whether status is an endpoint of its own. Default true. */
  readonly hasStatus?: boolean
  /** Further endpoints. Default none. */
  readonly subresources?: readonly Subresource[]
  /** What the schema can't say; asked only about objects that fit it. Default: nothing. */
  readonly validate?: (object: KubernetesObject, old: KubernetesObject | undefined) => readonly StatusCause[]
  /** Where it behaves differently from other objects. Default: nowhere. */
  readonly strategy?: (usual: Strategy) => Partial<Strategy>
}

/** A kind of the server's own that is told by a schema, as custom resources are. */
export function schemaResourceType(options: SchemaTypeOptions): ResourceType {
  const { group, version, names, namespaced, schema, hasStatus = true } = options
  const { validate } = schemaValidator(schema)
  const usual = defaultStrategy({ hasStatus })
  const status: readonly Subresource[] = hasStatus ? [{ name: 'status', verbs: ['get', 'patch', 'update'] }] : []
  return {
    group,
    version,
    names,
    namespaced,
    verbs,
    storage: {
      group,
      resource: names.plural,
      apiVersion: groupVersionToText({ group, version }),
      kind: names.kind,
      identity: '',
      encrypted: false,
      tag: 0,
    },
    subresources: new Map([...status, ...(options.subresources ?? [])].map((each) => [each.name, each])),
    strategicMerge: false,
    shape: () => schemaToTypeShape(schema),
    prune: (given) => {
      const { value, unknownFields } = pruneObject(schema, withTypedMetadata(given) as JsonObject)
      return { object: value as KubernetesObject, unknownFields }
    },
    setDefaults: (object) => setSchemaDefaults(schema, object as JsonObject) as KubernetesObject,
    validate: (object, old) => {
      const causes = validate(object as JsonObject, old as JsonObject | undefined)
      return causes.length > 0 ? causes : (options.validate?.(object, old) ?? [])
    },
    strategy: { ...usual, ...options.strategy?.(usual) },
    columns: () => options.columns,
    selectableFields: new Map(),
    openApi: {
      fingerprint: `${options.schemaVersion}/${names.kind}`,
      definitions: () => ({ schema: schema as Readonly<Record<string, unknown>> }),
    },
  }
}

const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
