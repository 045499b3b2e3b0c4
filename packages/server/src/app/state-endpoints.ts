import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { alreadyExists, conflict, notFound } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../admission/index.ts'
import { resourceAttributes } from '../auth/index.ts'
import {
  type Adoption,
  adoptState,
  type EngineParts,
  type ProviderUse,
  providerSource,
  type StateImport,
  stateDocument,
  stateImportFrom,
} from '../engine/index.ts'
import { journalRangeOf } from '../estate/index.ts'
import {
  type Api,
  createObject,
  type EndpointHandler,
  type EndpointHandlers,
  managedByUpdate,
  presentAnswer,
  type RequestContext,
  type ResourcePath,
  type Response,
  readDocument,
  type Target,
  updateObject,
  type Written,
  writeOptionsFrom,
  writtenResponse,
} from '../http/index.ts'
import type { NodeKind, NodePlace } from '../plan/index.ts'
import { decodeObject } from '../resource/index.ts'
import { importedSecretName, writeImportedSecret } from './imported-secret.ts'
import { demandUse } from './resource-endpoints.ts'

/** The endpoint of what is known of providers' objects: it is given out whole, and taken over from elsewhere. */
export function stateEndpoints(api: Api, parts: EngineParts, use: ProviderUse): EndpointHandlers {
  const handler: EndpointHandler = async (context, target) => {
    if (context.request.method !== 'POST') return giveOut(parts, context, target)
    // Before the provider is called to read what is taken over.
    await demandUse(parts, use, context, target)
    return takeOver(api, parts, context, target)
  }
  return new Map([['*/state', handler]])
}

async function giveOut(parts: EngineParts, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const { node, kind } = subject(parts, target)
  const states = await parts.estate.states(node)
  if (states.length === 0 && (await parts.objects.get(target.resource, target.place)) === undefined)
    throw notFound({ group: node.group, resource: node.resource }, node.name)
  const source = await providerSource(parts.objects, node.cluster, kind.provider)
  return presentAnswer(stateDocument(node, kind, states, source, parts.kinds), context, 200)
}

async function takeOver(
  api: Api,
  parts: EngineParts,
  context: RequestContext<ResourcePath>,
  target: Target,
): Promise<Response> {
  const { node, kind } = subject(parts, target)
  const wanted = stateImportFrom(await readDocument(context), { group: kind.group, kind: kind.kind }, node.name)
  const stored = await parts.objects.get(target.resource, target.place)
  const object = stored === undefined ? undefined : decodeObject(stored.bytes)
  const known = await parts.estate.states(node)
  if (known.length > 0 && !wanted.continues) throw hasState(node)
  const own = object === undefined || known.length > 0 ? undefined : ((object.spec ?? {}) as JsonObject)
  const secret = importedSecretName(api, context, node, kind)
  const mayDelete = ({ group, resource, namespace, name }: NodePlace) => {
    const { user } = context
    const wish = {
      user,
      cluster: node.cluster,
      verb: 'delete',
      apiGroup: group,
      resource,
      subresource: '',
      namespace,
      name,
    }
    return api.authorizer.authorize(resourceAttributes(wish)).allowed
  }
  const adoption = await adoptState(parts, node, kind, wanted, known, own, secret, mayDelete)
  const { secrets = new Map<string, string>(), leftOut = [] } = adoption.made ?? {}
  if (secret !== undefined && secrets.size > 0) {
    await writeImportedSecret(api, context, node, secret, secrets)
    context.warnings.push(`${kind.type}.${node.name}: its sensitive values are in the Secret ${JSON.stringify(secret)}`)
  }
  if (leftOut.length > 0)
    context.warnings.push(
      `${kind.type}.${node.name}: ${leftOut.join(', ')} left out because they are sensitive: you need create, get and update on secrets to have them put into one`,
    )
  if (adoption.made?.isQuiet === false)
    context.warnings.push(
      `${kind.type}.${node.name}: a plan will show changes: what exists can not be described exactly`,
    )
  const seen = known.reduce((newest, each) => Math.max(newest, each.current?.revision ?? 0), 0)
  const bringing: Api = { ...api, admission: api.admission.with(bringsState(parts, node, adoption, seen)) }
  const written =
    object === undefined
      ? await created(bringing, context, target, wanted, adoption)
      : await changed(bringing, context, target, adoption)
  return writtenResponse(api, context, target, written, 201)
}

function subject(parts: EngineParts, { resource, place }: Target): { node: NodePlace; kind: NodeKind } {
  const { group, resource: plural } = resource
  const kind = parts.kinds.at(place.cluster, group, plural)
  if (kind === undefined) throw notFound({ group, resource: plural }, place.name)
  return { node: { ...place, group, resource: plural }, kind }
}

function hasState({ group, resource, name }: NodePlace) {
  const { message } = alreadyExists({ group, resource }, name)
  return conflict({ group, resource }, name, `${message}, and something outside belongs to it`)
}

function created(
  api: Api,
  context: RequestContext,
  target: Target,
  { labels, annotations }: StateImport,
  adoption: Adoption,
): Promise<Written> {
  const { type, place } = target
  const options = writeOptionsFrom(context, 'CreateOptions')
  const { strategy } = type
  const held = {
    ...strategy,
    prepareForCreate: (object: KubernetesObject) => complete(strategy.prepareForCreate(object)),
  }
  const complete = (object: KubernetesObject) => adoption.complete(object)
  const manage = managedByUpdate(api, context, target, options.manager, '')
  const object = {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.names.kind,
    metadata: { name: place.name, namespace: place.namespace, labels, annotations },
    spec: adoption.made?.spec ?? {},
  } as KubernetesObject
  return createObject(api, context, { ...target, type: { ...type, strategy: held } }, object, options, (filled) =>
    manage(filled, undefined),
  )
}

function changed(api: Api, context: RequestContext, target: Target, adoption: Adoption): Promise<Written> {
  const options = writeOptionsFrom(context, 'UpdateOptions')
  const manage = managedByUpdate(api, context, target, options.manager, '')
  const { strategy } = target.type
  return updateObject(api, context, target, {
    subresource: '',
    options,
    change: (current) => (adoption.made === undefined ? current : { ...current, spec: adoption.made.spec }),
    prepare: (object, current) => adoption.complete(strategy.prepareForUpdate(object, current)),
    manage,
  })
}

// The state is written with the object or not at all. It is asked for again whenever somebody was faster.
function bringsState(parts: EngineParts, node: NodePlace, adoption: Adoption, seen: number): AdmissionPlugin {
  const validate = async ({ object, ride }: AdmissionRequest) => {
    const { group, resource, name } = node
    if ((await parts.estate.count(journalRangeOf(node))) > 0)
      throw conflict({ group, resource }, name, 'it is being changed just now')
    const isNewer = (await parts.estate.states(node)).some(({ current }) => (current?.revision ?? 0) > seen)
    if (isNewer) throw hasState(node)
    ride?.({ changes: [], operations: adoption.operations(object!), settled: () => {} })
  }
  return { name: 'AdoptedState', validate }
}
