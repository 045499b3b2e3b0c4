import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { alreadyExists, conflict, notFound } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../admission/index.ts'
import { resourceAttributes } from '../auth/index.ts'
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
import type { ResourceKind, ResourceRef } from '../model/index.ts'
import type { EngineParts } from '../plans/index.ts'
import { providerSource } from '../provider/index.ts'
import { holderName, type ProviderUse } from '../provider-kinds/index.ts'
import { decodeObject } from '../resource/index.ts'
import { type Adoption, adoptState, type HolderRights } from './adopt-state.ts'
import { importedSecretName, writeImportedSecret } from './imported-secret.ts'
import { requireUse } from './resource-endpoints.ts'
import { stateDocument } from './state-document.ts'
import { type StateImport, stateImportFrom } from './state-import.ts'

/** The `state` subresource of providers' objects: GET exports the state, POST imports one from a state file. */
export function stateEndpoints(api: Api, parts: EngineParts, use: ProviderUse): EndpointHandlers {
  const handler: EndpointHandler = async (context, target) => {
    if (context.request.method !== 'POST') return exportState(parts, context, target)
    // Checked before the provider is called to read the imported state.
    await requireUse(parts, use, context, target)
    return importFromState(api, parts, context, target)
  }
  return new Map([['*/state', handler]])
}

async function exportState(
  parts: EngineParts,
  context: RequestContext<ResourcePath>,
  target: Target,
): Promise<Response> {
  const { ref, kind } = subject(parts, target)
  const states = await parts.estate.states(ref)
  if (states.length === 0 && (await parts.objects.get(target.resource, target.place)) === undefined)
    throw notFound({ group: ref.group, resource: ref.resource }, ref.name)
  const source = await providerSource(parts.objects, ref.cluster, kind.provider)
  return presentAnswer(stateDocument(ref, kind, states, source, parts.kinds), context, 200)
}

async function importFromState(
  api: Api,
  parts: EngineParts,
  context: RequestContext<ResourcePath>,
  target: Target,
): Promise<Response> {
  const { ref, kind } = subject(parts, target)
  const wanted = stateImportFrom(await readDocument(context), { group: kind.group, kind: kind.kind }, ref.name)
  const stored = await parts.objects.get(target.resource, target.place)
  const object = stored === undefined ? undefined : decodeObject(stored.bytes)
  const known = await parts.estate.states(ref)
  if (known.length > 0 && !wanted.continues) throw hasState(ref)
  const own = object === undefined || known.length > 0 ? undefined : ((object.spec ?? {}) as JsonObject)
  const secret = importedSecretName(api, context, ref, kind)
  const adoption = await adoptState(parts, ref, kind, wanted, known, own, secret, holderRights(api, context))
  const { secrets = new Map<string, string>(), omitted = [] } = adoption.generated ?? {}
  if (secret !== undefined && secrets.size > 0) {
    await writeImportedSecret(api, context, ref, secret, secrets)
    context.warnings.push(
      `${kind.type}.${ref.name}: sensitive values were written to the Secret ${JSON.stringify(secret)}`,
    )
  }
  if (omitted.length > 0)
    context.warnings.push(
      `${kind.type}.${ref.name}: ${omitted.join(', ')} omitted because they are sensitive: to have them written to a Secret, you need create, get and update on secrets`,
    )
  for (const change of adoption.generated?.changes ?? []) context.warnings.push(`${kind.type}.${ref.name}: ${change}`)
  const seen = known.reduce((newest, each) => Math.max(newest, each.current?.revision ?? 0), 0)
  const withState: Api = { ...api, admission: api.admission.with(stateWriter(parts, ref, adoption, seen)) }
  const written =
    object === undefined
      ? await created(withState, context, target, wanted, adoption)
      : await changed(withState, context, target, adoption)
  return writtenResponse(api, context, target, written, 201)
}

function subject(parts: EngineParts, { resource, place }: Target): { ref: ResourceRef; kind: ResourceKind } {
  const { group, resource: plural } = resource
  const kind = parts.kinds.at(place.cluster, group, plural)
  if (kind === undefined) throw notFound({ group, resource: plural }, place.name)
  return { ref: { ...place, group, resource: plural }, kind }
}

function holderRights({ authorizer }: Api, { user }: RequestContext): HolderRights {
  return {
    mayDelete: ({ cluster, group, resource, namespace, name }) => {
      const asked = { user, cluster, verb: 'delete', apiGroup: group, resource, namespace, name }
      return authorizer.authorize(resourceAttributes(asked)).allowed
    },
    nameOf: (holder) => holderName(authorizer, user, holder),
  }
}

function hasState({ group, resource, name }: ResourceRef) {
  const { message } = alreadyExists({ group, resource }, name)
  return conflict({ group, resource }, name, `${message}, and it already manages a resource`)
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
  const adopting = {
    ...strategy,
    prepareForCreate: (object: KubernetesObject) => complete(strategy.prepareForCreate(object)),
  }
  const complete = (object: KubernetesObject) => adoption.complete(object)
  const manage = managedByUpdate(api, context, target, options.manager, '')
  const object = {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.names.kind,
    metadata: { name: place.name, namespace: place.namespace, labels, annotations },
    spec: adoption.generated?.spec ?? {},
  } as KubernetesObject
  return createObject(api, context, { ...target, type: { ...type, strategy: adopting } }, object, options, (filled) =>
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
    change: (current) => (adoption.generated === undefined ? current : { ...current, spec: adoption.generated.spec }),
    prepare: (object, current) => adoption.complete(strategy.prepareForUpdate(object, current)),
    manage,
  })
}

// Adds the state's writes to the commit of the object, so that both are written or neither is. It runs again when a concurrent write
// makes the commit fail, and then sees the newer state.
function stateWriter(parts: EngineParts, ref: ResourceRef, adoption: Adoption, seen: number): AdmissionPlugin {
  const validate = async ({ object, addToCommit }: AdmissionRequest) => {
    const { group, resource, name } = ref
    if ((await parts.estate.count(journalRangeOf(ref))) > 0)
      throw conflict({ group, resource }, name, 'a plan is changing it')
    const isNewer = (await parts.estate.states(ref)).some(({ current }) => (current?.revision ?? 0) > seen)
    if (isNewer) throw hasState(ref)
    addToCommit?.({ changes: [], operations: adoption.operations(object!), settled: () => {} })
  }
  return { name: 'AdoptedState', validate }
}
