import { actionSymbol, renderChange, renderDrift } from './change.ts'
import type { ChangeAction, PlanChange, PlanSummary } from './plan-view.ts'
import type { Style } from './style.ts'

/** The pages of a plan's changes, as the API gives them. */
export type ChangePages = AsyncIterable<readonly PlanChange[]>

/** How a plan is told besides its changes. */
export interface PlanTelling {
  readonly summary: PlanSummary
  readonly style: Style
  /** What stands between the changes and the last line, as where the plan is kept. */
  readonly notes?: readonly string[]
  /** Whether the changes are what was found changed outside. Default false. */
  readonly isDrift?: boolean
}

/**
 * A plan as Terraform prints it, piece by piece: it holds one page of changes at a time, however many there are. The
 * last line is `Plan: A to add, C to change, D to destroy.` or `No changes.`
 */
export async function* renderPlan(pages: ChangePages, telling: PlanTelling): AsyncGenerator<string> {
  const { summary, style, notes = [], isDrift = false } = telling
  const title = !canBeApplied(summary)
    ? 'Nothing of this can be done yet:'
    : isDrift
      ? 'Objects have changed outside of Hykube:'
      : 'Hykube will perform the following actions:'
  const told = isDrift ? { ...summary, delete: (summary.delete ?? 0) + (summary.forget ?? 0), forget: 0 } : summary
  let first = true
  for await (const page of pages) {
    if (first && page.length > 0) yield `${legend(told, page, style)}${title}\n\n`
    if (page.length > 0) first = false
    for (const change of page) yield isDrift ? renderDrift(change, style) : renderChange(change, style)
  }
  for (const note of notes) yield `${note}\n`
  yield `${notes.length > 0 ? '\n' : ''}${summaryLine(summary, style)}\n`
}

/** The summary line of a plan, as Terraform prints it. A replacement is added and destroyed, unless it forgets the old object. */
export function summaryLine(summary: PlanSummary, { bold }: Style): string {
  if (!hasChanges(summary)) return bold('No changes.')
  const { add, change, destroy } = totals(summary)
  return `${bold('Plan:')} ${add} to add, ${change} to change, ${destroy} to destroy.`
}

/** What the last line leaves out; undefined when that is nothing. */
export function furtherLine(summary: PlanSummary): string | undefined {
  const parts = (['import', 'forget', 'read', 'blocked', 'deferred'] as const).flatMap((action) => {
    const count = (summary[action] ?? 0) + correction(action, summary)
    return count === 0
      ? []
      : [action === 'blocked' || action === 'deferred' ? `${count} ${action}` : `${count} to ${action}`]
  })
  const { readWhilePlanning = 0 } = summary
  if (readWhilePlanning > 0) parts.push(`${readWhilePlanning} read while planning, by commands`)
  return parts.length === 0 ? undefined : `Also: ${parts.join(', ')}.`
}

// Data sources that were read while planning are done; replacements that forget the old object count there too.
function correction(action: ChangeAction, { readWhilePlanning = 0, kept = 0 }: PlanSummary): number {
  return action === 'read' ? -readWhilePlanning : action === 'forget' ? kept : 0
}

/** Whether a plan would do anything, or says that something can't be done. */
export function hasChanges(summary: PlanSummary): boolean {
  return countChanges(summary) > 0
}

/** Whether a plan has anything that can be carried out: what is blocked or deferred can't be. */
export function canBeApplied({ blocked: _, deferred: __, ...rest }: PlanSummary): boolean {
  return hasChanges(rest)
}

/** How many changes a plan lists. */
export function countChanges(summary: PlanSummary): number {
  return actions.reduce((sum, action) => sum + (summary[action] ?? 0), -(summary.readWhilePlanning ?? 0))
}

const actions: readonly ChangeAction[] = [
  'create',
  'update',
  'replace',
  'delete',
  'read',
  'forget',
  'import',
  'blocked',
  'deferred',
]

function totals({ create = 0, update = 0, replace = 0, delete: gone = 0, kept = 0 }: PlanSummary) {
  return { add: create + replace, change: update, destroy: gone + replace - kept }
}

function legend(summary: PlanSummary, page: readonly PlanChange[], style: Style): string {
  const orders = new Set(page.filter(({ action }) => action === 'replace').map(({ order }) => order))
  const rows = legendRows.filter(({ action, order }) => {
    if ((summary[action] ?? 0) === 0) return false
    return order === undefined || orders.has(order) || (order === 'delete-first' && orders.size === 0)
  })
  // What is only taken over has no symbol.
  if (rows.length === 0) return ''
  return [
    'Resource actions are indicated with the following symbols:',
    ...rows.map((row) => `${actionSymbol(row, style)}${row.text}`),
    '\n',
  ].join('\n')
}

interface LegendRow extends Pick<PlanChange, 'action' | 'order'> {
  readonly text: string
}

const legendRows: readonly LegendRow[] = [
  { action: 'create', text: 'create' },
  { action: 'update', text: 'update in-place' },
  { action: 'delete', text: 'destroy' },
  { action: 'replace', order: 'delete-first', text: 'destroy and then create replacement' },
  { action: 'replace', order: 'create-first', text: 'create replacement and then destroy' },
  { action: 'replace', order: 'forget-first', text: 'forget and then create replacement' },
  { action: 'read', text: 'read (data sources)' },
  { action: 'forget', text: 'forget, and leave it as it is' },
  { action: 'blocked', text: 'blocked: something must be fixed first' },
  { action: 'deferred', text: 'deferred: planned again when what it needs is known' },
]
