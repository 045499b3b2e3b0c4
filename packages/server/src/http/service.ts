import { randomUUID } from 'node:crypto'
import { StatusError } from '@hykube/machinery/status'
import {
  type Attributes,
  type Authenticator,
  type Authorizer,
  forbiddenError,
  type Identity,
  impersonate,
  pathAttributes,
  resourceAttributes,
  type UserInfo,
  wantedUser,
} from '../auth/index.ts'
import { compressed } from './compression.ts'
import type { RequestContext } from './context.ts'
import type { BodyBudget } from './flow-control/body-budget.ts'
import type { FairSeats } from './flow-control/fair-seats.ts'
import type { Handler, Peer, Request, Response, ResponseHeaders } from './front/index.ts'
import { failure } from './presentation/failure.ts'
import { acceptOf } from './presentation/form.ts'
import {
  clusterInPath,
  type OtherPath,
  parseRequestPath,
  type RequestPath,
  type ResourcePath,
  rootCluster,
} from './request-path.ts'
import { isWrongScope, pageNotFound, type ResourceHandler, unknownResource, verbOf } from './resource-handler.ts'
import { failureMetadata } from './verbs/list.ts'
import { warningHeaders } from './warning-header.ts'

/** Handles a path outside of resources; returns undefined when the path belongs to another handler. */
export type PathHandler = (context: RequestContext<OtherPath>) => Response | undefined | Promise<Response | undefined>

export interface ServiceOptions {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  /** Users of requests made inside the process, by the peer object that they carry. */
  readonly localUsers: ReadonlyMap<Peer, UserInfo>
  readonly authorizer: Authorizer
  /** Returns true when the logical cluster exists. */
  readonly hasCluster: (name: string) => boolean
  readonly resources: Pick<ResourceHandler, 'typeAt' | 'handle'>
  /** Paths of each logical cluster. Tried in order; the first response is sent. */
  readonly paths: readonly PathHandler[]
  /** Handlers of paths that answer for the whole server, by exact path. In other logical clusters than root these paths are 404. */
  readonly serverPaths?: ReadonlyMap<string, PathHandler>
  /** Concurrency limits and fairness among users. */
  readonly seats: FairSeats
  /** Memory limits for request bodies. */
  readonly bodies: BodyBudget
  /** Called for internal errors. */
  readonly onInternalError: (error: StatusError, request: Request) => void
  /** Called when authentication rejects a request's credentials. */
  readonly onRefusedCredentials?: (error: StatusError, request: Request) => void
  /** Called for every response, for metrics and the log. */
  readonly onAnswer?: (facts: AnswerFacts, request: Request) => void
}

export interface AnswerFacts {
  /** Verb; for requests rejected before authorization it is the client's method. */
  readonly verb: string
  /** Resource of an authorized request; `unknown` for resources that are not served, '' for other paths. */
  readonly resource: string
  /** Undefined for requests that failed authentication. */
  readonly user: UserInfo | undefined
  readonly status: number
  readonly milliseconds: number
}

type MutableFacts = { -readonly [K in keyof AnswerFacts]: AnswerFacts[K] }

/** Creates the handler of the whole API: authentication, flow control, authorization, dispatch. Never rejects. */
export function createService(options: ServiceOptions): Handler {
  return async (request) => {
    const started = performance.now()
    const warnings: string[] = []
    const facts: MutableFacts = {
      verb: request.method,
      resource: '',
      user: undefined,
      status: 0,
      milliseconds: 0,
    }
    let response: Response
    try {
      response = await answer(options, request, warnings, facts)
    } catch (error) {
      response = failed(options, error, request)
    }
    response = await compressed(request, response)
    facts.status = response.status
    facts.milliseconds = performance.now() - started
    options.onAnswer?.(facts, request)
    return withCommonHeaders(response, request, warnings)
  }
}

async function answer(
  options: ServiceOptions,
  request: Request,
  warnings: string[],
  facts: MutableFacts,
): Promise<Response> {
  const identity = await identityOf(options, request)
  const path = parseRequestPath(request.path, identity.cluster ?? rootCluster)
  const query = request.query === '' ? noQuery : new URLSearchParams(request.query)
  const { user } = identity
  facts.user = user
  checkCluster(options, path, user)
  const turns = options.seats.turnsOf(user)
  const real: RequestContext = { request, path, query, warnings, user, turns }
  const work = () => answerWhenSeated(options, real, facts)
  if (options.localUsers.has(request.peer) || isProbe(path)) return work()
  if (!methodsWithBody.has(request.method)) return options.seats.run(user, request, work)
  // The body is read before taking a seat, so that a client that sends slowly holds none.
  const release = await options.bodies.read(user, request)
  try {
    return await options.seats.run(user, request, work)
  } finally {
    release()
  }
}

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

// Health probes bypass flow control: a busy server must still answer them.
function isProbe(path: RequestPath): boolean {
  return path.kind === 'other' && /^\/(healthz|livez|readyz)(\/|$)/.test(path.path)
}

async function answerWhenSeated(options: ServiceOptions, real: RequestContext, facts: MutableFacts): Promise<Response> {
  const type = isResource(real) ? options.resources.typeAt(real.path) : undefined
  if (isResource(real)) facts.resource = 'unknown'
  const serverPath = isResource(real) ? undefined : options.serverPaths?.get((real.path as OtherPath).path)
  // Before authorization, because the administrator of a logical cluster may do everything there.
  if (serverPath !== undefined && real.path.cluster !== rootCluster) return pageNotFound
  if (type !== undefined && isWrongScope(type, real.path as ResourcePath)) return unknownResource(type.group)
  const context = actingContext(options, real)
  const attributes = attributesOf(context)
  const { allowed, reason } = options.authorizer.authorize(attributes)
  facts.verb = attributes.verb
  if (!allowed) throw forbiddenError(attributes, reason)
  // Set only after authorization, so that users without permissions cannot create metric labels.
  if (type !== undefined) facts.resource = attributes.resource
  if (isResource(context)) return options.resources.handle(context, type)
  const handlers = serverPath === undefined ? options.paths : [serverPath]
  return (await firstAnswer(handlers, context as RequestContext<OtherPath>)) ?? pageNotFound
}

async function identityOf({ authenticator, localUsers }: ServiceOptions, request: Request): Promise<Identity> {
  const local = localUsers.get(request.peer)
  if (local !== undefined) return { user: local }
  const cluster = clusterInPath(request.path)
  const { certificate: peerCertificate } = request.peer
  return authenticator.authenticate({
    header: (name) => request.header(name),
    headerNames: () => request.headerNames(),
    peerCertificate,
    cluster,
    connection: request.peer,
    path: request.path,
  })
}

// Applies impersonation, when the request asks for it and the authenticated user may impersonate.
function actingContext({ authorizer }: ServiceOptions, real: RequestContext): RequestContext {
  const wanted = wantedUser(real.request)
  return wanted === undefined ? real : { ...real, user: impersonate(wanted, attributesOf(real), authorizer) }
}

const noQuery = new URLSearchParams()

function isResource(context: RequestContext): context is RequestContext<ResourcePath> {
  return context.path.kind === 'resource'
}

function checkCluster({ hasCluster }: ServiceOptions, { cluster }: RequestPath, user: UserInfo): void {
  if (cluster !== '*' && !hasCluster(cluster))
    throw new StatusError(
      'Forbidden',
      `forbidden: User ${JSON.stringify(user.name)} cannot access logical cluster ${JSON.stringify(cluster)}: it does not exist, or you may not use it`,
    )
}

function attributesOf(context: RequestContext): Attributes {
  const { path, request, user } = context
  if (path.kind === 'other')
    return pathAttributes({ user, cluster: path.cluster, verb: request.method.toLowerCase(), path: path.path })
  return resourceAttributes({
    user,
    verb: verbOf(context as RequestContext<ResourcePath>),
    cluster: path.cluster,
    apiGroup: path.group,
    apiVersion: path.version,
    resource: path.resource,
    subresource: path.subresource,
    namespace: path.namespace,
    name: path.name,
    path: request.path,
  })
}

async function firstAnswer(
  handlers: readonly PathHandler[],
  context: RequestContext<OtherPath>,
): Promise<Response | undefined> {
  for (const handler of handlers) {
    const response = await handler(context)
    if (response !== undefined) return response
  }
  return undefined
}

function failed({ onInternalError, onRefusedCredentials }: ServiceOptions, error: unknown, request: Request): Response {
  const status = StatusError.from(error)
  if (status.code === 401) onRefusedCredentials?.(status, request)
  if (status.code >= 500 && !request.signal.aborted) onInternalError(status, request)
  return failure(status, acceptOf({ request }), failureMetadata(error))
}

// client-go disables its own throttling when it sees the flow-control headers.
const flowControl: ResponseHeaders = {
  'x-kubernetes-pf-flowschema-uid': '00000000-0000-0000-0000-000000000001',
  'x-kubernetes-pf-prioritylevel-uid': '00000000-0000-0000-0000-000000000002',
}

function withCommonHeaders(response: Response, request: Request, warnings: readonly string[]): Response {
  const headers: Record<string, string | readonly string[]> = {
    'audit-id': request.header('audit-id')[0] ?? randomUUID(),
    ...flowControl,
    ...response.headers,
  }
  if (warnings.length > 0) headers.warning = warningHeaders(warnings)
  return { ...response, headers }
}
