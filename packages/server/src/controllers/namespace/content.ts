import { messageOf } from '@hykube/machinery/base'
import type { GroupResource } from '@hykube/machinery/object'
import { groupResourceToText } from '@hykube/machinery/object'
import { type ApiResource, type Client, failedWith, type ResourceAt } from '@hykube/runtime/client'
import { attemptAll } from '../attempt-all.ts'

/** Content that remains after an attempt to delete it. */
export interface RemainingContent {
  /** Remaining objects per resource. */
  readonly remaining: ReadonlyMap<string, number>
  /** Remaining objects per finalizer. */
  readonly finalizers: ReadonlyMap<string, number>
  /** Error messages. */
  readonly failures: readonly string[]
}

/**
 * Lists the resources with objects in a namespace, so that a server with thousands of kinds need not be asked about
 * each. Must include everything committed before the call, and every resource it has no information about.
 */
export interface ContentIndex {
  resourcesIn(cluster: string, namespace: string): Promise<readonly GroupResource[]>
}

/** Returns the resources whose objects can be in a namespace and be deleted, each in one version. */
export function deletableResources(resources: readonly ApiResource[]): ApiResource[] {
  const chosen = new Map<string, ApiResource>()
  for (const resource of resources) {
    const { namespaced, verbs } = resource
    const deletable = verbs.includes('list') && (verbs.includes('deletecollection') || verbs.includes('delete'))
    const name = groupResourceToText(resource)
    if (namespaced && deletable && !chosen.has(name)) chosen.set(name, resource)
  }
  return [...chosen.values()]
}

/**
 * Deletes the content of a namespace: pods first, and other objects only when no pods remain, because pods may need
 * them. Plans, and the secrets and config maps that plans and providers may use, are deleted last: real resources are
 * destroyed by a plan.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  resources: readonly ApiResource[],
  signal: AbortSignal,
): Promise<RemainingContent> {
  const tally = new Tally()
  const empty = async (resource: ApiResource) => {
    try {
      await emptyResource(client, { ...resource, namespace }, resource.verbs, tally, signal)
    } catch (error) {
      // The kind was removed meanwhile, and its objects with it.
      if (!failedWith(error, 'NotFound', 'MethodNotAllowed')) tally.fail(error)
    }
  }
  await attemptAll(resources.filter(isPods), 1, empty)
  if (tally.remaining.size > 0) return tally
  const others = resources.filter((each) => !isPods(each))
  await attemptAll(
    others.filter((each) => !isNeededByPlans(each)),
    8,
    empty,
  )
  if (!tally.finalizers.has(managedFinalizer)) await attemptAll(others.filter(isNeededByPlans), 8, empty)
  return tally
}

/** Finalizer of objects with real resources. */
export const managedFinalizer = 'hykube.io/managed'

function isNeededByPlans({ group, resource }: GroupResource): boolean {
  if (group === 'hykube.io') return true
  return group === '' && (resource === 'secrets' || resource === 'configmaps')
}

function isPods({ group, resource }: GroupResource): boolean {
  return group === '' && resource === 'pods'
}

class Tally implements RemainingContent {
  readonly remaining = new Map<string, number>()
  readonly finalizers = new Map<string, number>()
  readonly failures: string[] = []

  // Kubernetes' format: the dot is written even for the core group.
  count(resource: GroupResource, finalizers: readonly string[]): void {
    increase(this.remaining, `${resource.resource}.${resource.group}`)
    for (const finalizer of finalizers) increase(this.finalizers, finalizer)
  }

  fail(error: unknown): void {
    this.failures.push(messageOf(error))
  }
}

async function emptyResource(
  client: Client,
  at: ResourceAt,
  verbs: readonly string[],
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await client.list(at, { form: 'metadata', limit: 1, signal })
  if (items.length === 0) return
  if (verbs.includes('deletecollection')) await client.deleteCollection(at, { propagationPolicy: 'Background', signal })
  else await deleteEach(client, at, signal)
  for await (const page of client.pages(at, { form: 'metadata', signal }))
    for (const { metadata } of page.items) tally.count(at, metadata?.finalizers ?? [])
}

async function deleteEach(client: Client, at: ResourceAt, signal: AbortSignal): Promise<void> {
  for await (const page of client.pages(at, { form: 'metadata', signal }))
    await attemptAll(page.items, 8, async ({ metadata }) => {
      try {
        await client.delete({ ...at, name: metadata?.name ?? '' }, { propagationPolicy: 'Background', signal })
      } catch (error) {
        if (!failedWith(error, 'NotFound')) throw error
      }
    })
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
