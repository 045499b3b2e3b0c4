import type { Condition, KubernetesObject, LabelSelectorObject } from '@hykube/machinery/object'
import {
  type Client,
  type ObjectAt,
  queryFrom,
  type ResourceAt,
  resourcePath,
  type Stored,
} from '@hykube/runtime/client'
import type { PlanChange, PlanDiagnostic, PlanSummary, Progress } from '../render/index.ts'

/** How a plan stands. */
export type PlanPhase =
  | 'Pending'
  | 'Planning'
  | 'Planned'
  | 'NoChanges'
  | 'Blocked'
  | 'Approved'
  | 'Rejected'
  | 'Applying'
  | 'Applied'
  | 'PartiallyApplied'
  | 'Failed'
  | 'Canceled'
  | 'Stale'
  | 'Expired'

/** What is wanted of a plan. */
export interface PlanSpec {
  readonly mode?: 'Normal' | 'Destroy' | 'RefreshOnly'
  readonly refresh?: 'None' | 'Changed' | 'All'
  readonly scope?: 'Changed' | 'All'
  readonly selector?: LabelSelectorObject
  readonly kinds?: readonly string[]
  readonly targets?: readonly string[]
  readonly excludes?: readonly string[]
  readonly replace?: readonly string[]
  readonly allNamespaces?: boolean
  readonly approval?: 'Manual' | 'Automatic'
  readonly parallelism?: number
  readonly expiresAfter?: string
}

/** What the server says of a plan. */
export interface PlanStatus {
  readonly phase?: PlanPhase
  readonly summary?: PlanSummary
  readonly message?: string
  readonly author?: string
  readonly planned?: { readonly at?: string; readonly by?: string }
  readonly diagnostics?: readonly PlanDiagnostic[]
  readonly approval?: {
    readonly decision?: string
    readonly by?: string
    readonly at?: string
    readonly message?: string
  }
  readonly progress?: Progress
  /** What was done. */
  readonly outcome?: { readonly added?: number; readonly changed?: number; readonly destroyed?: number }
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly conditions?: readonly Condition[]
}

/** A plan as the API has it. */
export type Plan = Stored<KubernetesObject & { readonly spec?: PlanSpec; readonly status?: PlanStatus }>

/** Where plans are. */
export const plans = { group: 'hykube.io', version: 'v1alpha1', resource: 'plans' } as const

/** One plan. */
export function planAt(namespace: string, name: string): ObjectAt {
  return { ...plans, namespace, name }
}

/** Makes a plan, with a name of its own or one that the server chooses. */
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

/** Asks a plan to end: what runs is finished, nothing new begins. */
export async function cancelPlan(client: Client, at: ObjectAt): Promise<void> {
  await client.update({ ...at, subresource: 'cancel' }, {})
}

/** The changes of a plan page by page, so that a plan of any size can be read. */
export async function* changePages(
  client: Client,
  at: ObjectAt,
  { limit = 250, action }: { readonly limit?: number; readonly action?: PlanChange['action'] } = {},
): AsyncGenerator<readonly PlanChange[]> {
  let token: string | undefined
  do {
    const path = resourcePath({ ...at, subresource: 'changes' })
    const page: ChangeList = await client.raw({
      method: 'GET',
      path,
      query: queryFrom({ limit, action, continue: token }),
    })
    yield page.items ?? []
    token = page.metadata?.continue
  } while (token !== undefined && token !== '')
}

/** A plan as Terraform's plan JSON. */
export function planJson(client: Client, at: ObjectAt): Promise<object> {
  return client.raw({ method: 'GET', path: resourcePath({ ...at, subresource: 'json' }) })
}

interface ChangeList {
  readonly metadata?: { readonly continue?: string }
  readonly items?: readonly PlanChange[]
}
