import type { ResourceType, Subresource, Verb } from '@hykube/machinery/resource-type'
import { badRequest, StatusError } from '@hykube/machinery/status'
import type { Api } from './api.ts'
import type { RequestContext } from './context.ts'
import type { Response } from './front/index.ts'
import { placeOf } from './presentation/stored-form.ts'
import type { ResourcePath } from './request-path.ts'
import { text } from './respond.ts'
import type { Target } from './target.ts'
import { create } from './verbs/create.ts'
import { remove } from './verbs/delete.ts'
import { deleteCollection } from './verbs/delete-collection.ts'
import { get } from './verbs/get.ts'
import { list } from './verbs/list.ts'
import { patch } from './verbs/patch.ts'
import { update } from './verbs/update.ts'
import { watch } from './verbs/watch.ts'

/** Handles an endpoint that is not plain storage of an object: tokens, reviews, scale. */
export type EndpointHandler = (context: RequestContext<ResourcePath>, target: Target) => Promise<Response>

/** Handlers by `group/resource` or `group/resource/subresource`; `*` for both matches every resource. */
export type EndpointHandlers = ReadonlyMap<string, EndpointHandler>

/** Returns the Kubernetes verb of a request. */
export function verbOf({ path, request, query }: RequestContext<ResourcePath>): Verb | 'connect' {
  const watching = query.has('watch') && query.get('watch') !== 'false' && query.get('watch') !== '0'
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      if (path.name !== '') return 'get'
      return watching ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return path.name === '' ? 'deletecollection' : 'delete'
    default:
      return 'connect'
  }
}

/** Dispatches requests for resources: looks up the type and calls the verb. */
export class ResourceHandler {
  readonly #api: Api
  readonly #endpoints: EndpointHandlers

  constructor(api: Api, endpoints: EndpointHandlers) {
    this.#api = api
    this.#endpoints = endpoints
  }

  /** Returns the type served at a path, or undefined. */
  typeAt({ cluster, group, version, resource }: ResourcePath): ResourceType | undefined {
    const { types } = this.#api
    return cluster === '*'
      ? types.findAnywhere(group, version, resource)
      : types.find(cluster, group, version, resource)
  }

  /** Handles an authorized request; `type` is the result of {@link typeAt} for its path. */
  async handle(context: RequestContext<ResourcePath>, type: ResourceType | undefined): Promise<Response> {
    const { path } = context
    const { types } = this.#api
    const { group, version, resource } = path
    if (type === undefined) return unknownResource(group)
    const subresource = path.subresource === '' ? undefined : type.subresources.get(path.subresource)
    if ((path.subresource !== '' && subresource === undefined) || path.rest !== '') return unknownResource(group)
    const target = targetOf(type, path, (cluster) => types.find(cluster, group, version, resource))
    const verb = verbOf(context)
    if (isAcrossNamespaces(type, path) && verb !== 'list' && verb !== 'watch') return rejectAcrossNamespaces(group)
    if (verb === 'connect' || !(subresource?.verbs ?? type.verbs).includes(verb) || !acceptsAddress(verb, path))
      throw notAllowed()
    if (type.deprecation !== undefined) context.warnings.push(type.deprecation)
    const handler = this.#endpointHandler(type, subresource)
    if (handler !== undefined) return handler(context, target)
    return this.#dispatch(verb, context, target)
  }

  #endpointHandler({ group, names }: ResourceType, subresource: Subresource | undefined): EndpointHandler | undefined {
    if (subresource === undefined) return this.#endpoints.get(`${group}/${names.plural}`)
    return (
      this.#endpoints.get(`${group}/${names.plural}/${subresource.name}`) ??
      this.#endpoints.get(`*/${subresource.name}`)
    )
  }

  #dispatch(verb: Verb, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
    const api = this.#api
    if (target.allClusters && verb !== 'list' && verb !== 'watch')
      throw badRequest('requests across all clusters can only list and watch')
    switch (verb) {
      case 'get':
        return get(api, context, target)
      case 'list':
        return list(api, context, target)
      case 'watch':
        return watch(api, context, target)
      case 'create':
        return create(api, context, target)
      case 'update':
        return update(api, context, target)
      case 'patch':
        return patch(api, context, target)
      case 'delete':
        return remove(api, context, target)
      case 'deletecollection':
        return deleteCollection(api, context, target)
      default:
        return verb satisfies never
    }
  }
}

/**
 * True when the scope of a path is not the scope of its kind. Must be checked before authorization, which trusts the
 * namespace in the path: a role in one namespace would reach cluster-scoped objects otherwise.
 */
export function isWrongScope(type: ResourceType, path: ResourcePath): boolean {
  if (!type.namespaced) return path.isInNamespace
  return path.isInNamespace ? path.namespace === '' : path.name !== ''
}

function isAcrossNamespaces({ namespaced }: ResourceType, { isInNamespace }: ResourcePath): boolean {
  return namespaced && !isInNamespace
}

// As kube-apiserver: across namespaces, built-in kinds answer other methods with 405 and kinds of definitions with 404.
function rejectAcrossNamespaces(group: string): Response {
  if (isDefinedGroup(group)) return pageNotFound
  throw notAllowed()
}

// POST addresses a collection, or a subresource of an object; PUT and PATCH address an object.
function acceptsAddress(verb: Verb, { name, subresource }: ResourcePath): boolean {
  if (verb === 'create') return name === '' || subresource !== ''
  return (verb !== 'update' && verb !== 'patch') || name !== ''
}

/**
 * Response for an unknown resource: a Status in built-in groups, a plain page in groups of definitions, as
 * kube-apiserver.
 */
export function unknownResource(group: string): Response {
  if (isDefinedGroup(group)) return pageNotFound
  throw new StatusError('NotFound', 'the server could not find the requested resource', { details: {} })
}

function isDefinedGroup(group: string): boolean {
  return group.includes('.') && !group.endsWith('.k8s.io')
}

/** Response for an unknown path; clients recognize its text. */
export const pageNotFound: Response = text(404, '404 page not found\n')

function targetOf(type: ResourceType, path: ResourcePath, typeIn: Target['typeIn']): Target {
  const namespace = type.namespaced ? path.namespace : ''
  return {
    type,
    resource: placeOf(type),
    place: { cluster: path.cluster, namespace, name: path.name },
    allClusters: path.cluster === '*',
    typeIn,
  }
}

function notAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource'
  return new StatusError('MethodNotAllowed', message, { details: {} })
}
