import type { ObjectAt } from '@hykube/runtime/client'
import { failedWith } from '@hykube/runtime/client'
import type { PlanChange } from '../render/index.ts'
import { CommandError } from './failure.ts'
import { followPlan, isSettled, phaseOf } from './follow-plan.ts'
import { continuation, inNamespace } from './hint.ts'
import type { Connection } from './host.ts'
import { cancelPlan, changePages, decidePlan, type Plan } from './plan-api.ts'
import { PlanView } from './plan-view.ts'
import type { Terminal } from './terminal.ts'

/** Approves a plan and follows it to its end. */
export async function applyPlan(connection: Connection, terminal: Terminal, plan: Plan, at: ObjectAt): Promise<Plan> {
  if (phaseOf(plan) === 'Planned') await approve(connection, at)
  return followApply(connection, terminal, at)
}

/** Follows a plan that is being applied to its end. Ctrl-C once asks it to end, twice leaves it to itself. */
export async function followApply(connection: Connection, terminal: Terminal, at: ObjectAt): Promise<Plan> {
  const { client } = connection
  const stop = new AbortController()
  const view = new PlanView(terminal, 'Applying')
  const failures = new Failures(connection, at)
  const release = terminal.onInterrupt(interrupted(connection, at, view, stop))
  let last: Plan | undefined
  try {
    for await (const plan of followPlan(client, at, {
      signal: stop.signal,
      onFailure: (error) => view.trouble(error),
    })) {
      last = plan
      view.show(plan)
      for (const text of await failures.since(plan)) view.say(text)
      if (!isSettled(plan)) continue
      view.end()
      for (const text of await failures.rest(plan)) view.say(text)
      return plan
    }
  } finally {
    release()
    view.end()
    stop.abort()
  }
  throw new CommandError(
    `no longer following plan ${JSON.stringify(at.name)}, which is ${phaseWords(last)}`,
    ...laterWords(at),
  )
}

/** The last line of a plan that was carried out; of any other a failure that says what became of it. */
export function resultLine(connection: Connection, plan: Plan): string {
  const phase = phaseOf(plan)
  if (phase === 'Applied' || phase === 'NoChanges') return `${verbOf(plan)} complete! ${resourcesLine(plan)}`
  throw new CommandError(
    `${endWords[phase]?.replace(/^Apply/, verbOf(plan)) ?? `plan is ${phase}`} ${resourcesLine(plan)}`,
    ...adviceOn(connection, plan),
  )
}

/** The last line of a plan of which everything was carried out but what was blocked. */
export function incompleteLine(plan: Plan): string {
  const { blocked = 0 } = plan.status?.summary ?? {}
  return `${verbOf(plan)} incomplete: ${blocked} blocked. ${resourcesLine(plan)}`
}

function verbOf({ spec }: Plan): string {
  return spec?.mode === 'Destroy' ? 'Destroy' : 'Apply'
}

function resourcesLine({ spec, status }: Plan): string {
  const { added = 0, changed = 0, destroyed = 0 } = status?.outcome ?? {}
  const isDestroyed = spec?.mode === 'Destroy' && added + changed === 0
  return `Resources: ${isDestroyed ? '' : `${added} added, ${changed} changed, `}${destroyed} destroyed.`
}

const endWords: Readonly<Record<string, string>> = {
  PartiallyApplied: 'Apply incomplete: not every change was carried out.',
  Failed: 'Apply failed.',
  Canceled: 'Apply canceled.',
  Rejected: 'The plan was rejected.',
  Stale: 'The plan is stale: what it was made from has changed.',
  Expired: 'The plan has expired.',
}

function adviceOn(connection: Connection, plan: Plan): string[] {
  const { spec, status, metadata } = plan
  const said = status?.message === undefined || status.message === '' ? [] : [status.message]
  const left = spec?.mode === 'Destroy' ? 'Destroy what is left:' : 'Plan what is left:'
  return [
    ...said,
    `See every change:  hykube show ${metadata.name}${inNamespace(connection, metadata.namespace)}`,
    `${left}  ${continuation(connection, plan)}`,
  ]
}

async function approve({ client }: Connection, at: ObjectAt): Promise<void> {
  try {
    await decidePlan(client, at, 'Approved')
  } catch (error) {
    if (!failedWith(error, 'Forbidden')) throw error
    throw new CommandError(
      `plan ${JSON.stringify(at.name)} waits for somebody who may approve it: ${error.message}`,
      `They approve it with:  hykube approve ${at.name} -n ${at.namespace}`,
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
    view.say('\nCanceling: what is running is finished, nothing new begins. Ctrl-C again leaves it to itself.\n')
    void cancelPlan(client, at).catch((error: unknown) => view.trouble(error))
  }
}

function phaseWords(plan: Plan | undefined): string {
  return plan === undefined ? 'going on' : phaseOf(plan)
}

function laterWords({ name, namespace }: ObjectAt): string[] {
  return [
    `Follow it again:  hykube apply ${name} -n ${namespace}`,
    `See where it is:  kubectl get plan ${name} -n ${namespace}`,
  ]
}

/** Tells each failure of a plan once. They lie among the changes, so they are looked for only when there are more. */
class Failures {
  readonly #connection: Connection
  readonly #at: ObjectAt
  readonly #told = new Set<string>()
  #known = 0

  constructor(connection: Connection, at: ObjectAt) {
    this.#connection = connection
    this.#at = at
  }

  async since({ status }: Plan): Promise<string[]> {
    const failed = status?.progress?.failed ?? 0
    if (failed <= this.#known) return []
    this.#known = failed
    // While it goes on only so far: a plan of a million changes must not be read again for each failure.
    return this.#look(20)
  }

  async rest(plan: Plan): Promise<string[]> {
    const isWhole = phaseOf(plan) === 'Applied' || phaseOf(plan) === 'NoChanges'
    return isWhole ? [] : this.#look(Number.POSITIVE_INFINITY)
  }

  async #look(pages: number): Promise<string[]> {
    const texts: string[] = []
    for await (const page of changePages(this.#connection.client, this.#at)) {
      for (const change of page) {
        const text = failureText(change)
        if (text === undefined || this.#told.has(change.address) || this.#told.size >= mostTold) continue
        this.#told.add(change.address)
        texts.push(text)
      }
      if (--pages <= 0 || this.#told.size >= mostTold) break
    }
    return texts
  }
}

// A cloud that is down fails everything; the first of it say why.
const mostTold = 100

function failureText({ address, outcome }: PlanChange): string | undefined {
  if (outcome === undefined || outcome.result === 'applied' || outcome.result === 'skipped') return undefined
  const found = outcome.diagnostics?.find(({ severity }) => severity === 'error')
  const place = found?.field === undefined || found.field === '' ? '' : ` (${found.field})`
  const why = [found && `${found.summary}${place}`, found?.detail ?? outcome.message].filter(
    (part) => part !== undefined && part !== '',
  )
  return `${address}: ${outcome.result}${why.length === 0 ? '' : `: ${why.join(': ')}`}\n`
}
