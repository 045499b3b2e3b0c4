import type { PlanChange } from '@hykube/machinery/plan-api'
import type { ObjectAt } from '@hykube/runtime/client'
import { type StepEvent, stepText } from '../../render/index.ts'
import type { Connection } from '../host/host.ts'
import type { Terminal } from '../host/terminal.ts'
import { changePages, type Plan } from './plan-api.ts'
import { printPlan } from './print-plan.ts'

/** How `apply` and `destroy` report: as text for people, or as one JSON object per line. */
export interface ApplyOutput {
  /** Redraws progress in place. */
  readonly live: boolean
  /** Prints the plan before it is applied. */
  plan(plan: Plan, at: ObjectAt): Promise<void>
  /** The line of a step that began, runs or ended. */
  step(event: StepEvent): string
  /** Prints a change that failed. */
  failure(change: PlanChange): void
  /** Prints the last line; `text` summarizes the plan. */
  result(plan: Plan, text: string): void
}

export function textOutput(connection: Connection, terminal: Terminal, pager: boolean | undefined): ApplyOutput {
  const { bold, green } = terminal.style
  return {
    live: terminal.live,
    plan: (plan, at) => printPlan(connection, terminal, plan, at, { pager }),
    step: (event) => `${stepText(event)}\n`,
    failure: (change) => terminal.err(`${failureText(change)}\n`),
    result: (_, text) => terminal.out(`\n${bold(green(text))}\n`),
  }
}

/** Lines with the types and fields of Terraform's machine-readable UI (`terraform apply -json`). */
export function jsonOutput(connection: Connection, terminal: Terminal): ApplyOutput {
  const line = (type: string, message: string, fields: object, level = 'info') => {
    const at = new Date(terminal.now()).toISOString()
    const head = { '@level': level, '@message': message, '@module': 'hykube.ui', '@timestamp': at }
    return `${JSON.stringify({ ...head, type, ...fields })}\n`
  }
  return {
    live: false,
    async plan({ status }, at) {
      for await (const page of changePages(connection.client, at))
        for (const { address, action, reason, message } of page) {
          const change = { resource: { addr: address }, action, reason: reason ?? message }
          terminal.out(line('planned_change', `${address}: Plan to ${action}`, { change }))
        }
      const { create = 0, update = 0, replace = 0, delete: deleted = 0, import: imported = 0 } = status?.summary ?? {}
      const counts = { add: create + replace, change: update, import: imported, remove: deleted + replace }
      const text = `Plan: ${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`
      terminal.out(line('change_summary', text, { changes: { ...counts, operation: 'plan' } }))
    },
    step: (event) => line(...stepFields(event)),
    failure: (change) => {
      const [detail] = change.outcome?.diagnostics ?? []
      const diagnostic = {
        severity: 'error',
        summary: change.outcome?.message ?? '',
        ...detail,
        address: change.address,
      }
      terminal.out(line('diagnostic', `Error: ${failureText(change)}`, { diagnostic }, 'error'))
    },
    result: ({ spec, status }, text) => {
      const { added = 0, changed = 0, destroyed = 0 } = status?.outcome ?? {}
      const operation = spec?.mode === 'Destroy' ? 'destroy' : 'apply'
      const changes = { add: added, change: changed, remove: destroyed, operation }
      terminal.out(line('change_summary', text, { changes }))
    },
  }
}

function stepFields(event: StepEvent): [type: string, message: string, fields: object, level?: string] {
  const text = stepText(event)
  if (event.kind === 'more') return ['log', text, {}]
  const hook = { resource: { addr: event.address }, action: event.action }
  if (event.kind === 'started') return ['apply_start', text, { hook }]
  const timed = { ...hook, elapsed_seconds: event.seconds }
  if (event.kind === 'running') return ['apply_progress', text, { hook: timed }]
  const id = event.id === undefined ? {} : { id_key: 'id', id_value: event.id }
  if (event.result === 'applied') return ['apply_complete', text, { hook: { ...timed, ...id } }]
  return ['apply_errored', text, { hook: timed }, 'error']
}

function failureText({ address, outcome }: PlanChange): string {
  const found = outcome?.diagnostics?.find(({ severity }) => severity === 'error')
  const field = found?.field === undefined || found.field === '' ? '' : ` (${found.field})`
  const reasons = [found && `${found.summary}${field}`, found?.detail ?? outcome?.message].filter(Boolean)
  return [address, outcome?.result, ...reasons].join(': ')
}
