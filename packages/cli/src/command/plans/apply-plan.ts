import type { PlanChange } from '@hykube/machinery/plan-api'
import type { ObjectAt } from '@hykube/runtime/client'
import { failedWith } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'
import type { Connection } from '../host/host.ts'
import type { Terminal } from '../host/terminal.ts'
import type { ApplyOutput } from './apply-output.ts'
import { followPlan, isSettled, phaseOf } from './follow-plan.ts'
import { continuation, inNamespace } from './hint.ts'
import { cancelPlan, changePages, decidePlan, type Plan } from './plan-api.ts'
import { PlanView } from './plan-view.ts'

/** Approves a plan and follows it until it is finished. */
export async function applyPlan(
  connection: Connection,
  terminal: Terminal,
  plan: Plan,
  at: ObjectAt,
  output: ApplyOutput,
): Promise<Plan> {
  if (phaseOf(plan) === 'Planned') await approve(connection, at)
  return followApply(connection, terminal, at, output)
}

/** Follows a plan that is being applied until it is finished. The first Ctrl-C cancels it, the second detaches. */
export async function followApply(
  connection: Connection,
  terminal: Terminal,
  at: ObjectAt,
  output: ApplyOutput,
): Promise<Plan> {
  const stop = new AbortController()
  const { live, step } = output
  const view = new PlanView(terminal, { title: 'Applying', live, step })
  const release = terminal.onInterrupt(interrupted(connection, at, view, stop))
  const onFailure = (error: unknown) => view.trouble(error)
  let last: Plan | undefined
  try {
    for await (const plan of followPlan(connection, at, { signal: stop.signal, onFailure })) {
      last = plan
      view.show(plan)
      if (!isSettled(plan)) continue
      view.end()
      if (!isComplete(plan)) for await (const change of failedChanges(connection, at)) output.failure(change)
      return plan
    }
  } finally {
    release()
    view.end()
    stop.abort()
  }
  const state = last === undefined ? 'not finished' : phaseOf(last)
  throw new CommandError(
    `detached from plan ${JSON.stringify(at.name)}, which is ${state}; the server continues it`,
    `Follow it again:  hykube apply ${at.name}${inNamespace(connection, at.namespace)}`,
    `Show its phase:   hykube get plan ${at.name}${inNamespace(connection, at.namespace)}`,
  )
}

/** The last line of a plan that was applied. Any other end is a failure that states why. */
export function resultLine(connection: Connection, plan: Plan): string {
  const phase = phaseOf(plan)
  if (isComplete(plan)) return `${verbOf(plan)} complete! ${resourcesLine(plan)}`
  throw new CommandError(
    `${endings[phase]?.replace(/^Apply/, verbOf(plan)) ?? `The plan is ${phase}.`} ${resourcesLine(plan)}`,
    ...adviceOn(connection, plan),
  )
}

/** The last line of a plan that was applied except for its blocked changes. */
export function incompleteLine(plan: Plan): string {
  const { blocked = 0 } = plan.status?.summary ?? {}
  return `${verbOf(plan)} incomplete: ${blocked} blocked. ${resourcesLine(plan)}`
}

function isComplete(plan: Plan): boolean {
  return phaseOf(plan) === 'Applied' || phaseOf(plan) === 'NoChanges'
}

function verbOf({ spec }: Plan): string {
  return spec?.mode === 'Destroy' ? 'Destroy' : 'Apply'
}

function resourcesLine(plan: Plan): string {
  const { added = 0, changed = 0, destroyed = 0 } = plan.status?.outcome ?? {}
  if (plan.spec?.mode === 'Destroy' && added + changed === 0) return `Resources: ${destroyed} destroyed.`
  const imported = isComplete(plan) ? (plan.status?.summary?.import ?? 0) : 0
  const first = imported > 0 ? `${imported} imported, ` : ''
  return `Resources: ${first}${added} added, ${changed} changed, ${destroyed} destroyed.`
}

const endings: Readonly<Record<string, string>> = {
  PartiallyApplied: 'Apply incomplete: some changes were not applied.',
  Failed: 'Apply failed.',
  Canceled: 'Apply canceled.',
  Rejected: 'The plan was rejected.',
  Stale: 'The plan is stale: its inputs have changed.',
  Expired: 'The plan has expired.',
}

function adviceOn(connection: Connection, plan: Plan): string[] {
  const { spec, status, metadata } = plan
  const message = status?.message === undefined || status.message === '' ? [] : [status.message]
  const rest = spec?.mode === 'Destroy' ? 'Destroy the rest:' : 'Plan the rest:'
  return [
    ...message,
    `Show every change:  hykube show ${metadata.name}${inNamespace(connection, metadata.namespace)}`,
    `${rest}  ${continuation(connection, plan)}`,
  ]
}

async function approve(connection: Connection, at: ObjectAt): Promise<void> {
  try {
    await decidePlan(connection.client, at, 'Approved')
  } catch (error) {
    if (!failedWith(error, 'Forbidden')) throw error
    throw new CommandError(
      `plan ${JSON.stringify(at.name)} needs the approval of another user: ${error.message}`,
      `That user runs:  hykube approve ${at.name} -n ${at.namespace}`,
    )
  }
}

function interrupted({ client }: Connection, at: ObjectAt, view: PlanView, stop: AbortController): () => void {
  let times = 0
  return () => {
    if (++times > 1) {
      stop.abort()
      return
    }
    view.say('\nCanceling: running changes are finished, no further change begins. Press Ctrl-C again to detach.\n')
    void cancelPlan(client, at).catch((error: unknown) => view.trouble(error))
  }
}

// A cloud that is down fails every change; the first hundred show why.
const mostFailures = 100

async function* failedChanges({ client }: Connection, at: ObjectAt): AsyncGenerator<PlanChange> {
  let count = 0
  for await (const page of changePages(client, at))
    for (const change of page) {
      const { result = 'applied' } = change.outcome ?? {}
      if (result === 'applied' || result === 'skipped') continue
      yield change
      if (++count === mostFailures) return
    }
}
