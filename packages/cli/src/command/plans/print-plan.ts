import type { ObjectAt } from '@hykube/runtime/client'
import { countChanges, furtherLine, hasChanges, renderDriftReport, renderPlan } from '../../render/index.ts'
import type { Connection } from '../host/host.ts'
import { documentText } from '../host/output.ts'
import { openPager } from '../host/pager.ts'
import type { Terminal } from '../host/terminal.ts'
import { changePages, type Plan, planJson } from './plan-api.ts'

/** The formats of a plan besides text. `json` and `yaml` hold the same document: Terraform's plan format. */
export const planFormats = ['json', 'yaml', 'name'] as const
export type PlanFormat = (typeof planFormats)[number]

/** Prints a plan for programs. */
export async function printPlanDocument(
  { client }: Connection,
  terminal: Terminal,
  at: ObjectAt,
  format: PlanFormat,
): Promise<void> {
  if (format === 'name') terminal.out(`plan.hykube.io/${at.name}\n`)
  else terminal.out(await documentText(await planJson(client, at), format))
}

export interface PrintPlanOptions {
  /** Lines before the last line, such as the next command. */
  readonly notes?: readonly string[]
  /** Allows a pager for long plans. Default true. */
  readonly pager?: boolean | undefined
}

/** Prints a plan as Terraform does, one page of changes at a time. */
export async function printPlan(
  { client }: Connection,
  terminal: Terminal,
  plan: Plan,
  at: ObjectAt,
  { notes = [], pager = true }: PrintPlanOptions = {},
): Promise<void> {
  const summary = plan.status?.summary ?? {}
  const options = { summary, style: terminal.style, notes: [...notes, ...furtherNotes(plan)] }
  const pages = hasChanges(summary) ? changePages(client, at) : noPages()
  const pieces = isDrift(plan) ? renderDriftReport(pages, options) : renderPlan(pages, options)
  const isLong = terminal.live && pager && countChanges(summary) > pageFrom
  const pipe = isLong ? openPager() : undefined
  let last = ''
  for await (const piece of pieces) {
    if (pipe === undefined) terminal.out(piece)
    // The user quit the pager: the remaining pages are not fetched.
    else if (!(await pipe.write(piece))) break
    last = piece
  }
  await pipe?.close()
  // A pager clears the screen when it ends; the summary is printed again.
  if (pipe !== undefined) terminal.out(last.trimStart())
}

// More changes than this do not fit on one screen.
const pageFrom = 200

function furtherNotes(plan: Plan): string[] {
  const { summary = {}, phase } = plan.status ?? {}
  if (phase === 'NoChanges' && plan.spec?.refresh !== 'All' && !isDrift(plan))
    return ['Drift was not checked (--refresh=all checks everything).']
  const further = isDrift(plan) ? undefined : furtherLine(summary)
  return further === undefined ? [] : [further]
}

function isDrift({ spec }: Plan): boolean {
  return spec?.mode === 'RefreshOnly'
}

async function* noPages(): AsyncGenerator<never> {}
