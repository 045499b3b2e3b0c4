import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { finalPhases, type PlanStatus } from '@hykube/machinery/plan-api'
import { badRequest, conflict, invalid, notFound } from '@hykube/machinery/status'
import {
  type EndpointHandler,
  type EndpointHandlers,
  presentAnswer,
  type RequestContext,
  type ResourcePath,
  type Response,
  readDocument,
  type Target,
} from '../http/index.ts'
import { changePage, changeTable } from './api/change-page.ts'
import { authorAnnotation } from './api/plan-author.ts'
import { changePlanStatus, planStatusOf, readPlan } from './api/plan-status.ts'
import type { EngineParts } from './engine-parts.ts'
import { planJson } from './json/plan-json.ts'

export interface PlanEndpointOptions {
  readonly parts: EngineParts
  /** True when author and approver must differ. */
  readonly requiresSecondApprover: boolean
}

/** Subresources of plans: `changes`, `json`, `approval` and `cancel`. */
export function planEndpoints(options: PlanEndpointOptions): EndpointHandlers {
  return new Map<string, EndpointHandler>([
    ['hykube.io/plans/changes', (context, target) => changes(options, context, target)],
    ['hykube.io/plans/json', (_, target) => asJson(options, target)],
    ['hykube.io/plans/approval', (context, target) => approval(options, context, target)],
    ['hykube.io/plans/cancel', (context, target) => cancel(options, context, target)],
  ])
}

const plans = { group: 'hykube.io', resource: 'plans' }

async function planOf({ parts }: PlanEndpointOptions, { place }: Target): Promise<KubernetesObject> {
  const plan = await readPlan(parts.objects, place)
  if (plan === undefined) throw notFound(plans, place.name)
  return plan
}

async function changes(options: PlanEndpointOptions, context: RequestContext<ResourcePath>, target: Target) {
  const plan = await planOf(options, target)
  const { query } = context
  const page = await changePage(options.parts.estate, target.place.cluster, plan.metadata?.uid ?? '', {
    limit: limitOf(query),
    continueAfter: query.get('continue') ?? '',
    action: query.get('action') ?? undefined,
    kind: query.get('kind') ?? undefined,
    name: query.get('name') ?? undefined,
  })
  const isTable = context.request.header('accept').some((accept) => /as=Table/.test(accept))
  return presentAnswer(isTable ? changeTable(page) : page, context, 200)
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? ''
  if (text === '' || text === '0') return mostChanges
  if (!/^\d{1,9}$/.test(text)) throw badRequest(`limit is ${JSON.stringify(text)}, but must be a number`)
  return Math.min(Number(text), mostChanges)
}

// Changes per page.
const mostChanges = 500

async function asJson(options: PlanEndpointOptions, target: Target): Promise<Response> {
  const plan = await planOf(options, target)
  const body: Response['body'] = async (writer) => {
    for await (const piece of planJson(options.parts, target.place, plan)) await writer.write(piece)
  }
  return { status: 200, headers: { 'content-type': 'application/json' }, body, compressible: true }
}

async function approval(options: PlanEndpointOptions, context: RequestContext<ResourcePath>, target: Target) {
  const plan = await planOf(options, target)
  if (context.request.method === 'GET') return presentAnswer(planStatusOf(plan).approval ?? {}, context, 200)
  const { decision, message } = (await readDocument(context)) as Decision
  if (decision !== 'Approved' && decision !== 'Rejected')
    throw invalid({ group: 'hykube.io', kind: 'Plan' }, target.place.name, [
      {
        reason: 'FieldValueNotSupported',
        field: 'decision',
        message: `Unsupported value: ${JSON.stringify(decision ?? '')}: supported values: "Approved", "Rejected"`,
      },
    ])
  const by = context.user.name
  const decided = (status: PlanStatus, object: KubernetesObject): PlanStatus => {
    const problem = undecidable(status, object, by, decision, options.requiresSecondApprover)
    if (problem !== undefined) throw conflict(plans, target.place.name, problem)
    const at = timeToText(options.parts.clock.now())
    return {
      ...status,
      phase: decision,
      approval: { decision, by, at, ...(typeof message === 'string' && message !== '' && { message }) },
      ...(decision === 'Rejected' && { finishedAt: at }),
    }
  }
  return changed(options, context, target, plan, decided)
}

interface Decision {
  readonly decision?: string
  readonly message?: unknown
}

function undecidable(
  { phase }: PlanStatus,
  { metadata }: KubernetesObject,
  by: string,
  decision: string,
  requiresSecondApprover: boolean,
): string | undefined {
  const name = JSON.stringify(metadata?.name)
  if (
    phase === 'Applied' ||
    phase === 'PartiallyApplied' ||
    phase === 'Applying' ||
    phase === 'Failed' ||
    phase === 'Stale'
  )
    return `plan ${name} was already applied`
  if (phase !== 'Planned') return `plan ${name} is ${phase}; only a plan in phase Planned can be approved or rejected`
  if (requiresSecondApprover && decision === 'Approved' && metadata?.annotations?.[authorAnnotation] === by)
    return `plan ${name} was written by ${JSON.stringify(by)}, and must be approved by another user`
  return undefined
}

async function cancel(options: PlanEndpointOptions, context: RequestContext<ResourcePath>, target: Target) {
  const plan = await planOf(options, target)
  const canceled = (status: PlanStatus): PlanStatus => {
    if (finalPhases.has(status.phase))
      throw conflict(plans, target.place.name, `plan ${JSON.stringify(target.place.name)} is already ${status.phase}`)
    return { ...status, canceled: { by: context.user.name, at: timeToText(options.parts.clock.now()) } }
  }
  return changed(options, context, target, plan, canceled)
}

async function changed(
  { parts }: PlanEndpointOptions,
  context: RequestContext<ResourcePath>,
  target: Target,
  plan: KubernetesObject,
  change: (status: PlanStatus, object: KubernetesObject) => PlanStatus,
) {
  const status = await changePlanStatus(parts.objects, target.place, plan.metadata?.uid ?? '', change)
  if (status === undefined) throw notFound(plans, target.place.name)
  return presentAnswer({ ...plan, status }, context, 200)
}
