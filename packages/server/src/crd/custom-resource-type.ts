import type { JsonObject } from '@hykube/machinery/json'
import { compareVersions, groupVersionToText, type KubernetesObject } from '@hykube/machinery/object'
import {
  defaultStrategy,
  type Pruned,
  type ResourceType,
  type StoragePlace,
  type Subresource,
  type TableColumns,
  type Verb,
} from '@hykube/machinery/resource-type'
import {
  type JsonSchema,
  pruneObject,
  schemaToTypeShape,
  setSchemaDefaults,
  type TypeShape,
  withTypedMetadata,
} from '@hykube/machinery/schema'
import { customValidation, type ValidateCustom } from './custom-validation.ts'
import { type Definition, type DefinitionVersion, isTerminating, storageVersionOf } from './definition.ts'
import { jsonPathFromText } from './json-path.ts'
import { customOpenApi } from './open-api.ts'
import { printerColumns } from './printer-columns.ts'
import { schemaEpoch } from './schema-epoch.ts'

/** Returns the resource types of a definition, one per served version. Schemas are compiled on first use. */
export function customResourceTypes(definition: Definition): ResourceType[] {
  const storage = storagePlaceOf(definition)
  if (storage === undefined) return []
  return definition.spec.versions.filter(({ served }) => served).map((version) => typeOf(definition, version, storage))
}

/** Returns where a definition's objects are stored; undefined without a storage version. */
export function storagePlaceOf({ spec }: Definition): StoragePlace | undefined {
  const version = storageVersionOf(spec)
  if (version === undefined) return undefined
  return {
    group: spec.group,
    resource: spec.names.plural,
    apiVersion: groupVersionToText({ group: spec.group, version: version.name }),
    kind: spec.names.kind,
    identity: '',
    encrypted: false,
    tag: schemaEpoch(spec),
  }
}

function typeOf(definition: Definition, version: DefinitionVersion, storage: StoragePlace): ResourceType {
  const { spec, status } = definition
  const names = status?.acceptedNames?.plural ? status.acceptedNames : spec.names
  const schema = version.schema?.openAPIV3Schema ?? openSchema
  const subresources = subresourcesOf(version)
  const compiled = new CompiledVersion(schema, version)
  return {
    group: spec.group,
    version: version.name,
    names: {
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
    },
    namespaced: spec.scope === 'Namespaced',
    verbs: isTerminating(definition) ? verbs.filter((verb) => verb !== 'create') : verbs,
    storage,
    subresources,
    strategicMerge: false,
    shape: () => compiled.shape,
    prune: (object) => prune(schema, object, spec.preserveUnknownFields === true),
    setDefaults: (object) => setSchemaDefaults(schema, object as JsonObject) as KubernetesObject,
    validate: (object, old, subresource) => compiled.validate(object, old, subresource),
    strategy: defaultStrategy({ hasStatus: subresources.has('status') }),
    ...(version.deprecated === true && { deprecation: deprecationOf(definition, version) }),
    columns: () => compiled.columns,
    selectableFields: selectableFields(version),
    openApi: customOpenApi(definition, version.name, schema),
  }
}

const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const openSchema: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Schema-dependent parts of a version, each compiled on first use. */
class CompiledVersion {
  readonly #schema: JsonSchema
  readonly #version: DefinitionVersion
  #validate: ValidateCustom | undefined
  #columns: TableColumns | undefined

  constructor(schema: JsonSchema, version: DefinitionVersion) {
    this.#schema = schema
    this.#version = version
  }

  get shape(): TypeShape {
    return schemaToTypeShape(this.#schema)
  }

  get validate(): ValidateCustom {
    this.#validate ??= customValidation(this.#schema, this.#version)
    return this.#validate
  }

  get columns(): TableColumns {
    this.#columns ??= printerColumns(this.#version.additionalPrinterColumns)
    return this.#columns
  }
}

function prune(schema: JsonSchema, given: KubernetesObject, keepsUnknown: boolean): Pruned {
  const object = withTypedMetadata(given)
  if (keepsUnknown) return { object, unknownFields: [] }
  const { value, unknownFields } = pruneObject(schema, object as JsonObject)
  return { object: value as KubernetesObject, unknownFields }
}

function subresourcesOf({ subresources }: DefinitionVersion): ReadonlyMap<string, Subresource> {
  const served: Subresource[] = []
  const readAndWrite: readonly Verb[] = ['get', 'patch', 'update']
  if (subresources?.status !== undefined) served.push({ name: 'status', verbs: readAndWrite })
  if (subresources?.scale !== undefined) {
    const objectKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
    served.push({
      name: 'scale',
      verbs: readAndWrite,
      objectKind,
      scale: { ...subresources.scale, checkedByKind: true },
    })
  }
  return new Map(served.map((subresource) => [subresource.name, subresource]))
}

function selectableFields({ selectableFields: given = [] }: DefinitionVersion): ResourceType['selectableFields'] {
  return new Map(
    given.map(({ jsonPath }) => {
      const read = jsonPathFromText(jsonPath)
      const text = (object: KubernetesObject) => {
        const value = read?.(object)[0]
        return value === undefined || value === null ? '' : String(value)
      }
      return [jsonPath.replace(/^\./, ''), text] as const
    }),
  )
}

// Without a custom warning, the newest served version that is not deprecated is recommended if it is newer.
function deprecationOf({ spec }: Definition, { deprecationWarning, name }: DefinitionVersion): string {
  if (deprecationWarning !== undefined) return deprecationWarning
  const nameOf = (version: string) => `${spec.group}/${version} ${spec.names.kind}`
  const [instead] = spec.versions
    .filter((each) => each.served && each.deprecated !== true && compareVersions(each.name, name) < 0)
    .sort((a, b) => compareVersions(a.name, b.name))
  return `${nameOf(name)} is deprecated${instead === undefined ? '' : `; use ${nameOf(instead.name)}`}`
}
