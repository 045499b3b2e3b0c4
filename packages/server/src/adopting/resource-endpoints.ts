import type { KubernetesObject } from '@hykube/machinery/object'
import { badRequest, conflict, notFound } from '@hykube/machinery/status'
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
import { type EngineParts, instancePage } from '../plans/index.ts'
import { withoutPendingDeletion } from '../provider/index.ts'
import type { ProviderUse } from '../provider-kinds/index.ts'
import { type Resolution, resolveCall } from './resolve.ts'

/** Subresources of providers' objects: `instances`, `undelete`, `resolve`, and the permission-only `sensitive`. */
export function resourceEndpoints(parts: EngineParts, use: ProviderUse): EndpointHandlers {
  return new Map<string, EndpointHandler>([
    ['*/instances', (context, target) => instances(parts, context, target)],
    [
      '*/undelete',
      async (context, target) => {
        await requireUse(parts, use, context, target)
        return undelete(parts, context, target)
      },
    ],
    [
      '*/resolve',
      async (context, target) => {
        await requireUse(parts, use, context, target)
        return resolve(parts, context, target)
      },
    ],
    ['*/sensitive', async () => notShown()],
  ])
}

/** Fails with 403 unless the user may use the provider of the object's kind. */
export async function requireUse(
  parts: EngineParts,
  use: ProviderUse,
  { user }: RequestContext<ResourcePath>,
  { resource, place }: Target,
): Promise<void> {
  const kind = parts.kinds.at(place.cluster, resource.group, resource.resource)
  if (kind !== undefined) await use.require(user, place.cluster, kind.provider, { ...resource, name: place.name })
}

function notShown(): never {
  throw badRequest('sensitive values are not shown: this endpoint exists only as a permission to refer to them')
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
  const ref = { ...target.place, group, resource }
  const states = await parts.estate.states(ref)
  // The commit fails if a plan begins to destroy an instance meanwhile: then a journal entry exists.
  const unmoved = states.map(({ instance }) => ({ key: journalKey({ ref, instance }), revision: undefined }))
  const after = await parts.objects.update(
    target.resource,
    target.place,
    async (object) => {
      if (object.metadata?.deletionTimestamp == null) throw conflict(name, target.place.name, 'it was not deleted')
      if ((await parts.estate.count(journalRangeOf(ref))) > 0)
        throw conflict(name, target.place.name, 'a plan is destroying it')
      return withoutDeletion(object, parts.clock.now())
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

function withoutDeletion(object: KubernetesObject, now: number): KubernetesObject {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation = 0, ...metadata } = object.metadata ?? {}
  const next = { ...object, metadata: { ...metadata, generation: generation + 1 } }
  const { status } = object as { readonly status?: { readonly observedGeneration?: number } }
  // The deletion raised the generation by one. If the spec was applied before, it still is, so observedGeneration follows.
  if (status?.observedGeneration !== generation - 1) return next
  return withoutPendingDeletion({ ...next, status: { ...status, observedGeneration: generation + 1 } }, now)
}
