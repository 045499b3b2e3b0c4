import type { GroupResource } from '@hykube/machinery/object'
import { groupResourceToText } from '@hykube/machinery/object'
import { type ApiResource, type Client, failedWith, type ResourceAt } from '@hykube/runtime/client'
import { inParallel } from '../in-parallel.ts'

/** What is left of a namespace's content after an attempt to delete it. */
export interface ContentLeft {
  /** How many objects of each resource remain. */
  readonly remaining: ReadonlyMap<string, number>
  /** How many of them each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>
  /** What went wrong, in words. */
  readonly failures: readonly string[]
}

/**
 * Knows which resources have objects in a namespace, so that a server with thousands of kinds need not be asked for
 * each. It must see everything that was committed before it is called, and name whatever it can't tell of.
 */
export interface ContentIndex {
  resourcesIn(cluster: string, namespace: string): Promise<readonly GroupResource[]>
}

/** Resources whose objects a namespace can hold, each in one version. */
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
 * Deletes what a namespace holds: pods first, and while they go, nothing that they may still need. What exists outside goes by
 * a plan: until then the plans stay, and what providers and plans are configured with.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  resources: readonly ApiResource[],
  signal: AbortSignal,
): Promise<ContentLeft> {
  const tally = new Tally()
  const empty = async (resource: ApiResource) => {
    try {
      await emptyResource(client, { ...resource, namespace }, resource.verbs, tally, signal)
    } catch (error) {
      // A kind that went meanwhile took its objects along.
      if (!failedWith(error, 'NotFound', 'MethodNotAllowed')) tally.fail(error)
    }
  }
  await inParallel(resources.filter(isPods), 1, empty)
  if (tally.remaining.size > 0) return tally
  const others = resources.filter((each) => !isPods(each))
  await inParallel(
    others.filter((each) => !isNeededByPlans(each)),
    8,
    empty,
  )
  if (!tally.finalizers.has(managedFinalizer)) await inParallel(others.filter(isNeededByPlans), 8, empty)
  return tally
}

/** Holds what exists outside. */
export const managedFinalizer = 'hykube.io/managed'

function isNeededByPlans({ group, resource }: GroupResource): boolean {
  if (group === 'hykube.io') return true
  return group === '' && (resource === 'secrets' || resource === 'configmaps')
}

function isPods({ group, resource }: GroupResource): boolean {
  return group === '' && resource === 'pods'
}

class Tally implements ContentLeft {
  readonly remaining = new Map<string, number>()
  readonly finalizers = new Map<string, number>()
  readonly failures: string[] = []

  // Kubernetes' own form: the dot is there without a group too.
  count(resource: GroupResource, finalizers: readonly string[]): void {
    increase(this.remaining, `${resource.resource}.${resource.group}`)
    for (const finalizer of finalizers) increase(this.finalizers, finalizer)
  }

  fail(error: unknown): void {
    this.failures.push(error instanceof Error ? error.message : String(error))
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
    await inParallel(page.items, 8, async ({ metadata }) => {
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
