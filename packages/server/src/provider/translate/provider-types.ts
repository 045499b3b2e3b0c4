import type { JsonObject } from '@hykube/machinery/json'
import { groupVersionToText, type KubernetesObject, withTypedMetadata } from '@hykube/machinery/object'
import type { Pruned, ResourceType, Subresource, Verb } from '@hykube/machinery/resource-type'
import { type JsonSchema, pruneObject } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import type { Block } from '@hykube/tfplugin/value'
import { KindCheck } from './kind-check.ts'
import { kindColumns } from './kind-columns.ts'
import type { KindMode } from './kind-names.ts'
import { kindOpenApi } from './kind-open-api.ts'
import { kindShape } from './kind-shape.ts'
import { hasSameSpec, kindStrategy, specOf } from './kind-strategy.ts'
import { kindsOf, type ProviderKind, type TakenNames } from './provider-kind.ts'
import { checkStatus } from './status-check.ts'
import type { ObjectStructure } from './structure.ts'
import { Structures } from './structures.ts'
import type { TemplateSyntax } from './template-syntax.ts'

/** What a provider's kinds are made from. */
export interface ProviderTypesInput {
  /** The name of the Provider object. */
  readonly provider: string
  readonly schema: ProviderSchema
  /** Differs whenever the schema does. */
  readonly schemaHash: string
  readonly templates: TemplateSyntax
  /** The time for transitions of conditions. Default: the system's. */
  readonly now?: () => number
  /** Names that were served before, which stay. Default: none were. */
  readonly taken?: TakenNames
}

/**
 * The types that a provider's schema makes, as everything else serves them. Costs a list of names: what is inside a type
 * is looked at when an object of it is first written or a document with it is first asked for.
 */
export function providerTypes(input: ProviderTypesInput): ResourceType[] {
  const structures = new Structures()
  return kindsOf(input.provider, input.schema, input.taken).map((kind) => kindType(kind, structures, input))
}

function kindType(
  kind: ProviderKind,
  structures: Structures,
  { schemaHash, templates, now = Date.now }: ProviderTypesInput,
): ResourceType {
  const { provider, mode, type, group, version, names } = kind
  let made: ObjectStructure | undefined
  const structure = () => (made ??= structures.ofBlock(kind.schema.block))
  const check = new KindCheck(mode, structure, templates)
  const shape = kindShape(mode, structure)
  return {
    group,
    version,
    names: { ...names, shortNames: [], categories: ['hykube', provider] },
    namespaced: true,
    verbs,
    storage: {
      group,
      resource: names.plural,
      apiVersion: groupVersionToText({ group, version }),
      kind: names.kind,
      identity: '',
      encrypted: false,
      // No default and no pruning ever changes what is stored.
      tag: 0,
    },
    subresources: subresourcesOf[mode],
    strategicMerge: false,
    shape: () => shape,
    prune: (object) => prune(check, object),
    rejectsUnknownFields: true,
    setDefaults: (object) => object,
    validate: (object, old) => validate(check, object, old),
    strategy: kindStrategy(check, mode, now),
    get deprecation() {
      return deprecationOf(type, kind.schema.block)
    },
    columns: () => kindColumns,
    selectableFields: new Map(),
    openApi: kindOpenApi({
      type,
      mode,
      description: () => kind.schema.block.description,
      schemaHash,
      // A document of all types must not make each of them keep its structure.
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
    speaks: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.instances.ready' },
  },
  { name: 'undelete', verbs: ['create'] },
  { name: 'resolve', verbs: ['create'] },
  // Everything that is known, sensitive values too: a permission of its own.
  { name: 'state', verbs: ['create', 'get'] },
]

const subresourcesOf: Readonly<Record<KindMode, ReadonlyMap<string, Subresource>>> = {
  data: new Map(dataSubresources.map((each) => [each.name, each])),
  managed: new Map(managedSubresources.map((each) => [each.name, each])),
}

// Of metadata the server takes what it knows. Nothing else is taken away: what is not known is told, and refused when the
// object is validated.
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

// What an older version of the provider accepted must not stand in the way of a change of labels or status.
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
