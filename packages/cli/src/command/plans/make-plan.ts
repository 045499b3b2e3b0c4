import type { PlanSpec } from '@hykube/machinery/plan-api'
import type { ObjectAt } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'
import type { Connection } from '../host/host.ts'
import type { Terminal } from '../host/terminal.ts'
import { followPlan, phaseOf } from './follow-plan.ts'
import { inNamespace } from './hint.ts'
import { cancelPlan, createPlan, type Plan, planAt } from './plan-api.ts'
import { checkKinds, explainRefusal, warnAboutMissing } from './plan-scope.ts'
import { PlanView } from './plan-view.ts'

/** Creates a plan and waits until it is planned. */
export async function makePlan(
  connection: Connection,
  terminal: Terminal,
  spec: PlanSpec,
  { name, namespace = connection.namespace }: { readonly name?: string | undefined; readonly namespace?: string } = {},
): Promise<Plan> {
  await checkKinds(connection, spec)
  const created = await createPlan(connection.client, namespace, spec, name).catch((error: unknown) =>
    explainRefusal({ ...connection, namespace }, spec, error),
  )
  const plan = await awaitPlan(connection, terminal, planAt(namespace, created.metadata.name!))
  if (phaseOf(plan) === 'NoChanges') await warnAboutMissing({ ...connection, namespace }, terminal, spec)
  return plan
}

/** Waits until a plan is planned. A plan that failed or was canceled before that is a failure. */
export async function awaitPlan(connection: Connection, terminal: Terminal, at: ObjectAt): Promise<Plan> {
  const stop = new AbortController()
  const view = new PlanView(terminal, { title: 'Planning' })
  let isCanceled = false
  const release = terminal.onInterrupt(() => {
    if (isCanceled) stop.abort()
    isCanceled = true
    void cancelPlan(connection.client, at).catch(() => stop.abort())
  })
  const onFailure = (error: unknown) => view.trouble(error)
  try {
    for await (const plan of followPlan(connection, at, { signal: stop.signal, onFailure })) {
      view.show(plan)
      if (phaseOf(plan) === 'Pending' || phaseOf(plan) === 'Planning') continue
      view.end()
      return refuseUnplanned(plan)
    }
  } finally {
    release()
    view.end()
    stop.abort()
  }
  throw new CommandError(
    `detached from plan ${JSON.stringify(at.name)} while it was being planned`,
    `Show it later:  hykube show ${at.name}${inNamespace(connection, at.namespace)}`,
  )
}

function refuseUnplanned(plan: Plan): Plan {
  const phase = phaseOf(plan)
  const isFailed = phase === 'Failed' && plan.status?.approval === undefined
  if (phase !== 'Canceled' && !isFailed) return plan
  const message = plan.status?.message
  throw new CommandError(
    `plan ${JSON.stringify(plan.metadata.name)} ${isFailed ? 'could not be made' : 'was canceled'}`,
    ...(message === undefined ? [] : [message]),
  )
}
