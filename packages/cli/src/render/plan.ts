import type { PlanAction, PlanChange, PlanSummary } from '@hykube/machinery/plan-api'
import { actionSymbol, renderChange, renderDrift } from './change.ts'
import type { Style } from './style.ts'
import { TypeWarnings } from './type-warnings.ts'

/** The pages of a plan's changes, as the API returns them. */
export type ChangePages = AsyncIterable<readonly PlanChange[]>

export interface PlanRendering {
  readonly summary: PlanSummary
  readonly style: Style
  /** Lines between the changes and the last line, such as the name of the plan. */
  readonly notes?: readonly string[]
}

/**
 * A plan as Terraform prints it, piece by piece, one page of changes in memory at a time. The last line is
 * `Plan: A to add, C to change, D to destroy.` or `No changes.`
 */
export async function* renderPlan(pages: ChangePages, options: PlanRendering): AsyncGenerator<string> {
  const { summary, style } = options
  const title = canBeApplied(summary)
    ? 'Hykube will perform the following actions:'
    : 'No change of this plan can be applied:'
  const warnings = new TypeWarnings()
  let first = true
  yield blockedLine(summary, style)
  for await (const page of pages) {
    if (first && page.length > 0) yield `${legend(summary, page, style)}${title}\n\n`
    if (page.length > 0) first = false
    for (const change of page) yield renderChange(warnings.onlyNew(change), style)
  }
  yield* ending(options, summaryLine(summary, style))
}

/** The changes of a plan that only reads, as a drift report. Objects that could not be read come after those that differ. */
export async function* renderDriftReport(pages: ChangePages, options: PlanRendering): AsyncGenerator<string> {
  const { summary, style } = options
  const { update: changed = 0, blocked = 0, deferred = 0 } = summary
  const deleted = (summary.forget ?? 0) + (summary.delete ?? 0)
  const isDrifted = changed + deleted > 0
  const unread: string[] = []
  if (isDrifted) yield 'Objects have changed outside of Hykube:\n\n'
  for await (const page of pages)
    for (const change of page) {
      if (change.action !== 'blocked' && change.action !== 'deferred') yield renderDrift(change, style)
      else if (unread.length < mostUnread) unread.push(`  ${change.address}: ${change.message ?? change.action}\n`)
    }
  if (unread.length > 0) yield `${style.yellow('Not checked for drift:')}\n${unread.join('')}`
  const rest = blocked + deferred - unread.length
  if (unread.length > 0) yield rest > 0 ? `  and ${rest} more\n\n` : '\n'
  const last = isDrifted ? `${style.bold('Drift:')} ${changed} changed, ${deleted} deleted.` : style.bold('No drift.')
  yield* ending(options, last)
}

const mostUnread = 20

function* ending({ notes = [] }: PlanRendering, last: string): Generator<string> {
  for (const note of notes) yield `${note}\n`
  yield `${notes.length > 0 ? '\n' : ''}${last}\n`
}

// In the first line, because a long plan hides its blocked entries.
function blockedLine({ blocked = 0 }: PlanSummary, { red, bold }: Style): string {
  if (blocked === 0) return ''
  const objects = blocked === 1 ? '1 change is' : `${blocked} changes are`
  return `${bold(red('Blocked:'))} ${objects} not possible; the entries marked "blocked" state why.\n\n`
}

/** The summary line of a plan, as Terraform prints it. A replacement is added and destroyed, unless it forgets the old object. */
export function summaryLine(summary: PlanSummary, { bold, red }: Style): string {
  if (!hasChanges(summary)) return bold('No changes.')
  const { blocked = 0, import: imported = 0 } = summary
  const { add, change, destroy } = totals(summary)
  const before = `${blocked > 0 ? `${red(`${blocked} blocked`)}, ` : ''}${imported > 0 ? `${imported} to import, ` : ''}`
  return `${bold('Plan:')} ${before}${add} to add, ${change} to change, ${destroy} to destroy.`
}

/** The counts that are not in the summary line; undefined when there are none. */
export function furtherLine(summary: PlanSummary): string | undefined {
  const parts = (['forget', 'read', 'deferred'] as const).flatMap((action) => {
    const count = (summary[action] ?? 0) + correction(action, summary)
    return count === 0 ? [] : [action === 'deferred' ? `${count} deferred` : `${count} to ${action}`]
  })
  const { readWhilePlanning = 0 } = summary
  if (readWhilePlanning > 0) parts.push(`${readWhilePlanning} read while planning, by commands`)
  return parts.length === 0 ? undefined : `Also: ${parts.join(', ')}.`
}

// Reads that ran while planning are done. Replacements that forget the old object count as forgotten too.
function correction(action: PlanAction, { readWhilePlanning = 0, kept = 0 }: PlanSummary): number {
  return action === 'read' ? -readWhilePlanning : action === 'forget' ? kept : 0
}

/** Returns true when a plan lists any change, blocked and deferred ones included. */
export function hasChanges(summary: PlanSummary): boolean {
  return countChanges(summary) > 0
}

/** Returns true when a plan lists a change that is neither blocked nor deferred. */
export function canBeApplied({ blocked: _, deferred: __, ...rest }: PlanSummary): boolean {
  return hasChanges(rest)
}

/** The number of changes that a plan lists. */
export function countChanges(summary: PlanSummary): number {
  return actions.reduce((sum, action) => sum + (summary[action] ?? 0), -(summary.readWhilePlanning ?? 0))
}

const actions: readonly PlanAction[] = [
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
  // Imports without other changes have no symbol.
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
  { action: 'forget', text: 'forget, without destroying it' },
  { action: 'blocked', text: 'blocked' },
  { action: 'deferred', text: 'deferred until its inputs are known' },
]
