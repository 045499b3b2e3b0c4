import type { KubernetesObject } from '@hykube/machinery/object'
import { badRequest, conflict, notFound } from '@hykube/machinery/status'
import { type EngineParts, instancePage, type ProviderUse, type Resolution, resolveCall } from '../engine/index.ts'
import { journalKey, journalRangeOf } from '../estate/index.ts'
import {
  type EndpointHandler,
  type EndpointHandlers,
  presentAnswer,
  type RequestContext,
  type ResourcePath,
  readDocument,
  type Target,
} from '../http/index.ts'

/** The further endpoints of providers' objects: their instances, and taking back a deletion. */
export function resourceEndpoints(parts: EngineParts, use: ProviderUse): EndpointHandlers {
  return new Map<string, EndpointHandler>([
    ['*/instances', (context, target) => instances(parts, context, target)],
    [
      '*/undelete',
      async (context, target) => {
        await demandUse(parts, use, context, target)
        return undelete(parts, context, target)
      },
    ],
    [
      '*/resolve',
      async (context, target) => {
        await demandUse(parts, use, context, target)
        return resolve(parts, context, target)
      },
    ],
    ['*/sensitive', async () => notShown()],
  ])
}

/** Fails with 403 unless the user may use the provider of the object's kind. */
export async function demandUse(
  parts: EngineParts,
  use: ProviderUse,
  { user }: RequestContext<ResourcePath>,
  { resource, place }: Target,
): Promise<void> {
  const kind = parts.kinds.at(place.cluster, resource.group, resource.resource)
  if (kind !== undefined) await use.demand(user, place.cluster, kind.provider, { ...resource, name: place.name })
}

function notShown(): never {
  throw badRequest('sensitive values are not shown: this endpoint only stands for the permission to refer to them')
}

async function instances(parts: EngineParts, context: RequestContext<ResourcePath>, target: Target) {
  const { group, resource } = target.resource
  const kind = parts.kinds.at(target.place.cluster, group, resource)
  const stored = await parts.objects.get(target.resource, target.place)
  if (stored === undefined || kind === undefined) throw notFound({ group, resource }, target.place.name)
  const limit = Number(context.query.get('limit') ?? 0) || 500
  const page = await instancePage(parts.estate, { ...target.place, group, resource }, kind, {
    limit: Math.min(limit, 500),
    continueAfter: context.query.get('continue') ?? '',
  })
  return presentAnswer(page, context, 200)
}

async function undelete(parts: EngineParts, context: RequestContext<ResourcePath>, target: Target) {
  const { group, resource } = target.resource
  const name = { group, resource }
  const node = { ...target.place, group, resource }
  const states = await parts.estate.states(node)
  // That no destruction was begun is part of the commit.
  const unmoved = states.map(({ instance }) => ({ key: journalKey({ node, instance }), revision: undefined }))
  const after = await parts.objects.update(
    target.resource,
    target.place,
    async (object) => {
      if (object.metadata?.deletionTimestamp == null) throw conflict(name, target.place.name, 'it was not deleted')
      if ((await parts.estate.count(journalRangeOf(node))) > 0)
        throw conflict(name, target.place.name, 'it is being destroyed just now')
      return withoutMark(object)
    },
    { unmoved },
  )
  if (after === undefined) throw notFound(name, target.place.name)
  return presentAnswer(after, context, 200)
}

async function resolve(parts: EngineParts, context: RequestContext<ResourcePath>, target: Target) {
  const { group, resource } = target.resource
  const kind = parts.kinds.at(target.place.cluster, group, resource)
  if (kind === undefined) throw notFound({ group, resource }, target.place.name)
  const body = (await readDocument(context)) as unknown as Resolution
  if (!['Adopt', 'Retry', 'Forget'].includes(body.decision))
    throw badRequest('decision must be Adopt (with an id), Retry or Forget')
  const resolved = await resolveCall(parts, { ...target.place, group, resource }, kind, body)
  return presentAnswer(resolved, context, 201)
}

function withoutMark(object: KubernetesObject): KubernetesObject {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation = 0, ...metadata } = object.metadata ?? {}
  const next = { ...object, metadata: { ...metadata, generation: generation + 1 } }
  const { status } = object as { readonly status?: { readonly observedGeneration?: number } }
  // The deletion mark raised the generation by one. A spec that was applied until then is still applied.
  if (status?.observedGeneration !== generation - 1) return next
  return { ...next, status: { ...status, observedGeneration: generation + 1 } }
}
