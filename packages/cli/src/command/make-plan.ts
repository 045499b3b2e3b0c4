import { CommandError } from './failure.ts'
import { followPlan, isSettled, phaseOf } from './follow-plan.ts'
import { inNamespace } from './hint.ts'
import type { Connection } from './host.ts'
import { cancelPlan, createPlan, type Plan, type PlanSpec, planAt } from './plan-api.ts'
import { checkKinds, explainRefusal, tellMissing } from './plan-scope.ts'
import { PlanView } from './plan-view.ts'
import type { Terminal } from './terminal.ts'

/** Makes a plan and waits until it is made, showing how far it is. A plan that could not be made is a failure. */
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
  const plan = await awaitPlan(connection, terminal, namespace, created.metadata.name!)
  if (phaseOf(plan) === 'NoChanges') await tellMissing({ ...connection, namespace }, terminal, spec)
  return plan
}

/** Waits until a plan is made. */
export async function awaitPlan(
  connection: Connection,
  terminal: Terminal,
  namespace: string,
  name: string,
): Promise<Plan> {
  const at = planAt(namespace, name)
  const stop = new AbortController()
  const view = new PlanView(terminal, 'Planning')
  let canceled = false
  const release = terminal.onInterrupt(() => {
    if (canceled) stop.abort()
    canceled = true
    void cancelPlan(connection.client, at).catch(() => stop.abort())
  })
  try {
    for await (const plan of followPlan(connection.client, at, {
      signal: stop.signal,
      onFailure: (error) => view.trouble(error),
    })) {
      view.show(plan)
      if (phaseOf(plan) === 'Pending' || phaseOf(plan) === 'Planning') continue
      view.end()
      return checked(plan)
    }
  } finally {
    release()
    view.end()
    stop.abort()
  }
  throw new CommandError(
    `plan ${JSON.stringify(name)} was left while it was being made`,
    `See it later:  hykube show ${name}${inNamespace(connection, namespace)}`,
  )
}

function checked(plan: Plan): Plan {
  const phase = phaseOf(plan)
  const failed = phase === 'Failed' && plan.status?.approval === undefined
  if (!isSettled(plan) || (phase !== 'Canceled' && !failed)) return plan
  const { name } = plan.metadata
  const said = plan.status?.message ?? plan.status?.diagnostics?.find(({ severity }) => severity === 'error')?.summary
  throw new CommandError(
    phase === 'Canceled'
      ? `plan ${JSON.stringify(name)} was canceled`
      : `plan ${JSON.stringify(name)} could not be made`,
    ...(said === undefined ? [] : [said]),
  )
}
