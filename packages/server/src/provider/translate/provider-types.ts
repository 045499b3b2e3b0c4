import type { JsonObject } from '@hykube/machinery/json'
import { groupVersionToText, type KubernetesObject } from '@hykube/machinery/object'
import type { Pruned, ResourceType, Subresource, Verb } from '@hykube/machinery/resource-type'
import { type JsonSchema, pruneObject, withTypedMetadata } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import type { Block } from '@hykube/tfplugin/schema'
import { KindCheck } from './check/kind-check.ts'
import { checkStatus } from './check/status-check.ts'
import type { TemplateSyntax } from './check/template-syntax.ts'
import { kindColumns } from './kind-columns.ts'
import type { KindMode } from './kind-names.ts'
import { kindShape } from './kind-shape.ts'
import { hasSameSpec, kindStrategy, specOf } from './kind-strategy.ts'
import { kindOpenApi } from './open-api/kind-open-api.ts'
import { kindsOf, type ProviderKind, type ServedNames } from './provider-kind.ts'
import { shortNamesOf } from './short-names.ts'
import type { ObjectStructure } from './structure.ts'
import { Structures } from './structures.ts'

/** The input of a provider's resource types. */
export interface ProviderTypesInput {
  /** The name of the Provider object. */
  readonly provider: string
  readonly schema: ProviderSchema
  /** Identifies the content of the schema. */
  readonly schemaHash: string
  readonly templates: TemplateSyntax
  /** The clock for transitions of conditions. Default: the system's. */
  readonly now?: () => number
  /** Previously served names, which stay. Default: none. */
  readonly taken?: ServedNames
  /** Returns true for names of kinds that are not of this provider: they are not used as short names. Default: none. */
  readonly isOtherKind?: (name: string) => boolean
}

/**
 * The resource types of a provider. Cheap even for thousands of types: the schema of a type is decoded when its first object is
 * written or its OpenAPI document is requested.
 */
export function providerTypes(input: ProviderTypesInput): ResourceType[] {
  const structures = new Structures()
  const kinds = kindsOf(input.provider, input.schema, input.taken)
  const shortNames = shortNamesOf(kinds, input.isOtherKind ?? (() => false))
  return kinds.map((kind) => kindType(kind, shortNames.get(kind)!, structures, input))
}

function kindType(
  kind: ProviderKind,
  shortNames: readonly string[],
  structures: Structures,
  { schemaHash, templates, now = Date.now }: ProviderTypesInput,
): ResourceType {
  const { mode, type, group, version, names } = kind
  let made: ObjectStructure | undefined
  const structure = () => (made ??= structures.ofBlock(kind.schema.block))
  const check = new KindCheck(mode, structure, templates)
  const shape = kindShape(mode, structure)
  return {
    group,
    version,
    // In no category: kubectl would send one request for each kind of it.
    names: { ...names, shortNames, categories: [] },
    namespaced: true,
    verbs,
    storage: {
      group,
      resource: names.plural,
      apiVersion: groupVersionToText({ group, version }),
      kind: names.kind,
      identity: '',
      encrypted: false,
      // Stored objects never need conversion, because neither defaults nor pruning change them.
      tag: 0,
    },
    subresources: subresourcesOf[mode],
    strategicMerge: false,
    shape: () => shape,
    prune: (object) => prune(check, object),
    rejectsUnknownFields: true,
    setDefaults: (object) => object,
    validate: (object, old) => validate(check, object, old),
    strategy: kindStrategy({ check, mode, now, deprecation: () => deprecationOf(type, kind.schema.block) }),
    columns: () => kindColumns,
    selectableFields: new Map(),
    openApi: kindOpenApi({
      type,
      mode,
      description: () => kind.schema.block.description,
      schemaHash,
      // Not cached in `made`: a document of all types would otherwise keep thousands of structures in memory.
      structure: () => made ?? structures.ofBlock(kind.schema.block),
    }),
  }
}

const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const readAndWrite: readonly Verb[] = ['get', 'patch', 'update']
const dataSubresources: readonly Subresource[] = [
  { name: 'status', verbs: readAndWrite },
  { name: 'instances', verbs: ['get'] },
  { name: 'sensitive', verbs: ['get'] },
]
const managedSubresources: readonly Subresource[] = [
  ...dataSubresources,
  {
    name: 'scale',
    verbs: readAndWrite,
    objectKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.instances.ready' },
  },
  { name: 'undelete', verbs: ['create'] },
  { name: 'resolve', verbs: ['create'] },
  // Contains sensitive values, so it needs a permission of its own.
  { name: 'state', verbs: ['create', 'get'] },
]

const subresourcesOf: Readonly<Record<KindMode, ReadonlyMap<string, Subresource>>> = {
  data: new Map(dataSubresources.map((each) => [each.name, each])),
  managed: new Map(managedSubresources.map((each) => [each.name, each])),
}

// Prunes metadata only. Unknown fields elsewhere are reported, and validation refuses the object.
function prune(check: KindCheck, given: KubernetesObject): Pruned {
  const { value, unknownFields: inMetadata } = pruneObject(openSchema, withTypedMetadata(given) as JsonObject)
  const object = value as KubernetesObject
  const { unknownFields, hints } = check.inspect(specOf(object))
  return { object, unknownFields: [...inMetadata, ...unknownFields, ...unknownTopLevel(object)], hints }
}

const openSchema: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const topLevel = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status'])

function unknownTopLevel(object: KubernetesObject): string[] {
  return Object.keys(object).filter((name) => !topLevel.has(name))
}

// An unchanged spec is not checked again: a newer schema must not block updates of labels or status.
function validate(check: KindCheck, object: KubernetesObject, old: KubernetesObject | undefined): StatusCause[] {
  const causes = hasSameSpec(object, old) ? [] : check.inspect(specOf(object)).causes
  return [...unknownTopLevelCauses(object), ...causes, ...checkStatus(object, old)]
}

function unknownTopLevelCauses(object: KubernetesObject): StatusCause[] {
  return unknownTopLevel(object).map((field) => ({
    reason: 'FieldValueForbidden',
    message: 'Forbidden: unknown field',
    field,
  }))
}

function deprecationOf(type: string, { deprecated, deprecationMessage: message }: Block): string | undefined {
  if (!deprecated) return undefined
  return `${type} is deprecated${message === '' ? '' : `: ${message}`}`
}
