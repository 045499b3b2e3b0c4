import type { JsonObject } from '../json/index.ts'
import { groupVersionToText, type KubernetesObject } from '../object/index.ts'
import {
  type JsonSchema,
  pruneObject,
  schemaToTypeShape,
  schemaValidator,
  setSchemaDefaults,
  withTypedMetadata,
} from '../schema/index.ts'
import type { StatusCause } from '../status/index.ts'
import { defaultStrategy } from './default-strategy.ts'
import type { ResourceNames, ResourceType, Strategy, Subresource, TableColumns, Verb } from './resource-type.ts'

/** The definition of a built-in kind by a schema. */
export interface SchemaTypeOptions {
  readonly group: string
  readonly version: string
  readonly names: ResourceNames
  readonly namespaced: boolean
  /** The structural schema of its objects. It must not change while the server runs. */
  readonly schema: JsonSchema
  /** Must change with the schema, also between releases: clients cache OpenAPI documents by it. */
  readonly schemaVersion: string
  readonly columns: TableColumns
  /** Adds a status subresource. Default true. */
  readonly hasStatus?: boolean
  /** Additional subresources. Default none. */
  readonly subresources?: readonly Subresource[]
  /** Checks beyond the schema; called only for objects that are valid by it. Default: none. */
  readonly validate?: (object: KubernetesObject, old: KubernetesObject | undefined) => readonly StatusCause[]
  /** Overrides parts of the default strategy. Default: none. */
  readonly strategy?: (usual: Strategy) => Partial<Strategy>
}

/** Compiles a built-in kind that is defined by a schema, like a custom resource. */
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
