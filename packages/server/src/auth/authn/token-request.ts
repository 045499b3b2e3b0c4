import { type Clock, systemClock } from '@hykube/machinery/base'
import { badRequest, conflict, invalid, notFound, type StatusCause } from '@hykube/machinery/status'
import { isObject, objectOf, textOf, textsOf, type Untyped } from '../untyped.ts'
import type { BoundKind, BoundObject, BoundObjects } from './bound-objects.ts'
import type { KubernetesClaim } from './service-account-claims.ts'
import { type TokenIssuer, timestamp } from './token-issuer.ts'

/** Service account and issuer of a token request. */
export interface TokenRequestContext {
  readonly cluster: string
  /** Namespace and name of the service account, from the path. */
  readonly namespace: string
  readonly name: string
  readonly issuer: TokenIssuer
  readonly objects: BoundObjects
  /** Audiences of this API, the default for tokens. */
  readonly audiences: readonly string[]
  /** Maximum lifetime in seconds; longer requests are shortened. Default: unlimited. */
  readonly maximumSeconds?: number
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** Response to a TokenRequest. */
export interface TokenAnswer {
  readonly object: Untyped
  /** Warnings for the client. */
  readonly warnings: readonly string[]
  readonly credentialId: string
}

/** Answers a POST of a TokenRequest to `serviceaccounts/<name>/token`. */
export async function answerTokenRequest(request: Untyped, context: TokenRequestContext): Promise<TokenAnswer> {
  const { metadata, spec } = { metadata: objectOf(request.metadata), spec: objectOf(request.spec) }
  checkNames(metadata, context)
  const account = await context.objects.find(context.cluster, 'ServiceAccount', context.namespace, context.name)
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, context.name)
  checkUid(metadata, account, context)
  const wished = spec.expirationSeconds ?? defaultSeconds
  checkExpiration(wished)
  const claim = await claimFor(spec, account, context)
  const expirationSeconds = Math.min(wished, context.maximumSeconds ?? wished)
  const audiences = textsOf(spec.audiences).length === 0 ? context.audiences : textsOf(spec.audiences)
  const issued = await context.issuer.issue({ claim, audiences, expirationSeconds })
  const { token, expirationTimestamp, credentialId } = issued
  const shortened = `requested expiration of ${wished} seconds shortened to ${expirationSeconds} seconds`
  return {
    object: {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        ...metadata,
        name: context.name,
        namespace: context.namespace,
        uid: account.uid,
        creationTimestamp: timestamp(Math.floor((context.clock ?? systemClock).now() / 1000)),
      },
      spec: {
        audiences,
        expirationSeconds,
        boundObjectRef: isObject(spec.boundObjectRef) ? spec.boundObjectRef : null,
      },
      status: { token, expirationTimestamp },
    },
    warnings: expirationSeconds < wished ? [shortened] : [],
    credentialId,
  }
}

const defaultSeconds = 60 * 60
const minimumSeconds = 10 * 60
const tokenRequest = { group: 'authentication.k8s.io', kind: 'TokenRequest' }

function checkNames(metadata: Untyped, { name, namespace }: TokenRequestContext): void {
  const refuse = (field: 'name' | 'namespace', expected: string) => {
    const given = textOf(metadata[field])
    if (given === '' || given === expected) return
    const why = `must match the service account ${field} if specified`
    throw invalid(tokenRequest, name, [problem(`metadata.${field}`, given, why)])
  }
  refuse('name', name)
  refuse('namespace', namespace)
}

function checkUid(metadata: Untyped, account: BoundObject, { name }: TokenRequestContext): void {
  const uid = textOf(metadata.uid)
  if (uid === '' || uid === account.uid) return
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.uid})`
  throw conflict({ group: tokenRequest.group, resource: tokenRequest.kind }, name, why)
}

function checkExpiration(seconds: unknown): asserts seconds is number {
  const field = 'spec.expirationSeconds'
  if (!Number.isInteger(seconds)) throw invalid(tokenRequest, '', [problem(field, seconds, 'must be an integer')])
  if ((seconds as number) < minimumSeconds)
    throw invalid(tokenRequest, '', [problem(field, seconds, 'may not specify a duration less than 10 minutes')])
  if ((seconds as number) > 2 ** 32)
    throw invalid(tokenRequest, '', [problem(field, seconds, 'may not specify a duration larger than 2^32 seconds')])
}

async function claimFor(spec: Untyped, account: BoundObject, context: TokenRequestContext): Promise<KubernetesClaim> {
  const { cluster: clusterName, namespace, name } = context
  const claim = { clusterName, namespace, serviceaccount: { name, uid: account.uid } }
  if (!isObject(spec.boundObjectRef)) return claim
  const reference = spec.boundObjectRef
  const bound = { name: textOf(reference.name), object: await boundObject(reference, context) }
  const own = { name: bound.name, uid: bound.object.uid }
  switch (reference.kind) {
    case 'Pod':
      return { ...claim, pod: own, ...(await nodeOf(bound.object, context)) }
    case 'Secret':
      return { ...claim, secret: own }
    default:
      return { ...claim, node: own }
  }
}

const boundResources: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' }

async function boundObject(reference: Untyped, context: TokenRequestContext): Promise<BoundObject> {
  const { kind, name, uid, apiVersion } = {
    kind: textOf(reference.kind),
    name: textOf(reference.name),
    uid: textOf(reference.uid),
    apiVersion: textOf(reference.apiVersion),
  }
  const resource = apiVersion.includes('/') || !Object.hasOwn(boundResources, kind) ? undefined : boundResources[kind]
  if (resource === undefined) throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${kind}`)
  const place = kind === 'Node' ? '' : context.namespace
  const found = await context.objects.find(context.cluster, kind as BoundKind, place, name)
  if (found === undefined) throw notFound({ group: '', resource }, name)
  if (kind === 'Pod' && found.serviceAccountName !== context.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(context.name)} to pod running with different serviceaccount name.`,
    )
  if (uid !== '' && uid !== found.uid)
    throw conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    )
  return found
}

async function nodeOf({ nodeName = '' }: BoundObject, { objects, cluster }: TokenRequestContext) {
  if (nodeName === '') return {}
  const node = await objects.find(cluster, 'Node', '', nodeName)
  return { node: { name: nodeName, uid: node?.uid ?? '' } }
}

function problem(field: string, value: unknown, why: string): StatusCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${why}` }
}
