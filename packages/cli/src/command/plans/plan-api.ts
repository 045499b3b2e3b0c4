import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanChange, PlanChangeList, PlanSpec, PlanStatus } from '@hykube/machinery/plan-api'
import {
  type Client,
  type ObjectAt,
  queryFrom,
  type ResourceAt,
  resourcePath,
  type Stored,
} from '@hykube/runtime/client'
import { tokenPages } from '../resources/token-pages.ts'

/** A Plan object. */
export type Plan = Stored<KubernetesObject & { readonly spec?: PlanSpec; readonly status?: PlanStatus }>

export const plans = { group: 'hykube.io', version: 'v1alpha1', resource: 'plans' } as const

/** The place of a plan. The name may carry the type, as `-o name` prints it: `plan.hykube.io/friday`. */
export function planAt(namespace: string, name: string): ObjectAt {
  return { ...plans, namespace, name: name.replace(/^plans?(\.hykube\.io)?\//, '') }
}

/** Creates a plan. Without a name, the server generates one. */
export function createPlan(client: Client, namespace: string, spec: PlanSpec, name?: string): Promise<Plan> {
  const metadata = name === undefined ? { generateName: 'plan-', namespace } : { name, namespace }
  const at: ResourceAt = { ...plans, namespace }
  return client.create(at, { apiVersion: 'hykube.io/v1alpha1', kind: 'Plan', metadata, spec })
}

/** Approves or rejects a plan. */
export async function decidePlan(
  client: Client,
  at: ObjectAt,
  decision: 'Approved' | 'Rejected',
  message?: string,
): Promise<void> {
  await client.update({ ...at, subresource: 'approval' }, { decision, ...(message !== undefined && { message }) })
}

/** Cancels a plan: running changes are finished, no further change begins. */
export async function cancelPlan(client: Client, at: ObjectAt): Promise<void> {
  await client.update({ ...at, subresource: 'cancel' }, {})
}

/** The changes of a plan, page by page. */
export async function* changePages(
  client: Client,
  at: ObjectAt,
  { limit = 250, action }: { readonly limit?: number; readonly action?: PlanChange['action'] } = {},
): AsyncGenerator<readonly PlanChange[]> {
  const path = resourcePath({ ...at, subresource: 'changes' })
  const pages = tokenPages<PlanChangeList>((token) =>
    client.raw({ method: 'GET', path, query: queryFrom({ limit, action, continue: token }) }),
  )
  for await (const { items } of pages) yield items
}

/** A plan in Terraform's plan format. */
export function planJson(client: Client, at: ObjectAt): Promise<object> {
  return client.raw({ method: 'GET', path: resourcePath({ ...at, subresource: 'json' }) })
}
