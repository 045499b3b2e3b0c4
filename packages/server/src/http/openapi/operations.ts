import type { ResourceType, Subresource, Verb } from '@hykube/machinery/resource-type'
import { openApiSchema, typeNameOf } from '../../kinds/index.ts'
import {
  capital,
  definitionName,
  groupVersionPath,
  metaDefinitions,
  operationScope,
  operationTag,
  siblingName,
} from './names.ts'
import { type Parameter, pathParameters, verbParameters } from './parameters.ts'

/** Operations of a path, the source for both OpenAPI versions. */
export interface PathOperations {
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly operations: readonly Operation[]
}

export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch'
  readonly kind: GroupVersionKind
  readonly parameters: readonly Parameter[]
  readonly body?: OperationBody
  /** Absent in the brief form. */
  readonly details?: OperationDetails
}

export interface OperationBody {
  /** Absent in the brief form. */
  readonly definition?: string
  readonly media: readonly string[]
  readonly required: boolean
}

/** Details needed by generated clients. */
export interface OperationDetails {
  readonly id: string
  readonly action: string
  /** Status code and definition of each success response. */
  readonly answers: readonly (readonly [code: number, definition: string])[]
  readonly produces: readonly string[]
  /** Tag that groups operations. */
  readonly tag: string
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/**
 * Yields the operations on objects of a type. Paths without operations are left out.
 *
 * The brief form has only the facts that kubectl looks up: the kind of a resource, and the parameters of PATCH. It is
 * used for groups with so many types that their full document would be tens of megabytes, which kubectl reads for each
 * command.
 */
export function* typeOperations(type: ResourceType, brief = false): Generator<PathOperations> {
  const base = `/${groupVersionPath(type.group, type.version)}`
  const scope = type.namespaced ? `${base}/namespaces/{namespace}` : base
  const collection = `${scope}/${type.names.plural}`
  const own = { type, endpoint: ownEndpoint(type) }
  if (brief) {
    yield { path: `${collection}/{name}`, parameters: [], operations: [briefOperation(own)] }
    return
  }
  yield* path(collection, own, ['list', 'create', 'deletecollection'])
  yield* path(`${collection}/{name}`, own, ['get', 'update', 'patch', 'delete'])
  if (type.namespaced)
    yield* path(`${base}/${type.names.plural}`, { ...own, endpoint: acrossNamespaces(own.endpoint) }, ['list'])
  for (const subresource of type.subresources.values())
    yield* path(
      `${collection}/{name}/${subresource.name}`,
      { ...own, endpoint: subresourceEndpoint(type, subresource) },
      ['get', 'create', 'update', 'patch', 'delete'],
    )
}

/** True when a group-version of these types uses the brief form. */
export function isBrief(types: readonly ResourceType[]): boolean {
  return types.length > 200
}

/** Name of the definition of a type's objects. */
export function typeDefinitionName({ group, version, names, openApi }: ResourceType): string {
  return openApi?.name ?? definitionName(group, version, names.kind)
}

/** Name of the definition of a subresource's kind. */
export function kindDefinitionName({ group, version, kind }: GroupVersionKind): string {
  const builtIn = typeNameOf(group, version, kind)
  return openApiSchema(builtIn) === undefined ? definitionName(group, version, kind) : builtIn
}

interface Endpoint {
  readonly verbs: readonly Verb[]
  readonly kind: GroupVersionKind
  readonly definition: string
  readonly listDefinition: string
  /** Last part of operation ids. */
  readonly title: string
  readonly suffix: string
}

interface Place {
  readonly type: ResourceType
  readonly endpoint: Endpoint
}

function ownEndpoint(type: ResourceType): Endpoint {
  const { group, version, names, namespaced, verbs } = type
  const definition = typeDefinitionName(type)
  return {
    verbs,
    kind: { group, version, kind: names.kind },
    definition,
    listDefinition: siblingName(definition, names.listKind),
    title: `${namespaced ? 'Namespaced' : ''}${names.kind}`,
    suffix: '',
  }
}

function acrossNamespaces(endpoint: Endpoint): Endpoint {
  return { ...endpoint, title: endpoint.kind.kind, suffix: 'ForAllNamespaces' }
}

function subresourceEndpoint(type: ResourceType, { name, verbs, objectKind }: Subresource): Endpoint {
  const own = ownEndpoint(type)
  const endpoint =
    objectKind === undefined
      ? own
      : { ...own, kind: objectKind, definition: kindDefinitionName(objectKind), title: own.title }
  return { ...endpoint, verbs, suffix: capital(name) }
}

function* path(path: string, place: Place, verbs: readonly Verb[]): Generator<PathOperations> {
  const served = verbs.filter((verb) => place.endpoint.verbs.includes(verb))
  if (served.length === 0) return
  yield { path, parameters: pathParameters(path), operations: served.map((verb) => operation(place, verb)) }
}

// kubectl looks up the parameters of PATCH, and treats a PATCH without body as one without strategic merge.
function briefOperation({ type, endpoint }: Place): Operation {
  const body = { media: patchMedia(type), required: false }
  const operation: Operation = { method: 'patch', kind: endpoint.kind, parameters: briefParameters }
  return type.strategicMerge ? { ...operation, body } : operation
}

const briefParameters = verbParameters('patch').filter(({ name }) => name === 'dryRun' || name === 'fieldValidation')

function operation({ type, endpoint }: Place, verb: Verb): Operation {
  const { method, action, word } = verbFacts[verb]
  const scope = operationScope(type.group, type.version) + (verb === 'deletecollection' ? 'Collection' : '')
  const body = bodyOf(verb, type, endpoint)
  return {
    method,
    kind: endpoint.kind,
    parameters: verbParameters(verb),
    ...(body !== undefined && { body }),
    details: {
      id: `${word}${scope}${endpoint.title}${endpoint.suffix}`,
      action,
      answers: answersOf(verb, type, endpoint),
      produces: verb === 'list' ? listMedia(type) : objectMedia(type),
      tag: operationTag(type.group, type.version),
    },
  }
}

const verbFacts: Readonly<Record<Verb, { method: Operation['method']; action: string; word: string }>> = {
  create: { method: 'post', action: 'post', word: 'create' },
  delete: { method: 'delete', action: 'delete', word: 'delete' },
  deletecollection: { method: 'delete', action: 'deletecollection', word: 'delete' },
  get: { method: 'get', action: 'get', word: 'read' },
  list: { method: 'get', action: 'list', word: 'list' },
  patch: { method: 'patch', action: 'patch', word: 'patch' },
  update: { method: 'put', action: 'put', word: 'replace' },
  watch: { method: 'get', action: 'watch', word: 'watch' },
}

function bodyOf(verb: Verb, type: ResourceType, { definition }: Endpoint): Operation['body'] {
  if (verb === 'create' || verb === 'update') return { definition, media: ['*/*'], required: true }
  if (verb === 'patch') return { definition: metaDefinitions.patch, media: patchMedia(type), required: true }
  if (verb === 'delete' || verb === 'deletecollection')
    return { definition: metaDefinitions.deleteOptions, media: ['*/*'], required: false }
  return undefined
}

// kubectl apply reads here whether strategic merge patch is supported.
function patchMedia({ strategicMerge }: ResourceType): string[] {
  return [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(strategicMerge ? ['application/strategic-merge-patch+json'] : []),
  ]
}

function answersOf(
  verb: Verb,
  type: ResourceType,
  { definition, listDefinition }: Endpoint,
): OperationDetails['answers'] {
  if (verb === 'list') return [[200, listDefinition]]
  if (verb === 'deletecollection') return [[200, metaDefinitions.status]]
  if (verb === 'delete') {
    const deleted = type.strategy.returnsDeletedObject ? definition : metaDefinitions.status
    return [
      [200, deleted],
      [202, deleted],
    ]
  }
  const codes = verb === 'get' ? [200] : verb === 'create' ? [200, 201, 202] : [200, 201]
  return codes.map((code) => [code, definition])
}

function objectMedia({ protobuf }: ResourceType): string[] {
  return [
    'application/json',
    ...(protobuf === undefined ? [] : ['application/vnd.kubernetes.protobuf']),
    'application/yaml',
  ]
}

function listMedia(type: ResourceType): string[] {
  const streams = ['application/json;stream=watch']
  if (type.protobuf !== undefined) streams.push('application/vnd.kubernetes.protobuf;stream=watch')
  return [...objectMedia(type), ...(type.verbs.includes('watch') ? streams : [])]
}
