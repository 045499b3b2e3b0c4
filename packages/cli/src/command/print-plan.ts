import type { ObjectAt } from '@hykube/runtime/client'
import { countChanges, furtherLine, hasChanges, renderDiagnostic, renderPlan } from '../render/index.ts'
import type { Connection } from './host.ts'
import { openPager } from './pager.ts'
import { changePages, type Plan } from './plan-api.ts'
import type { Terminal } from './terminal.ts'

/** How a plan is printed. */
export interface PrintPlanOptions {
  /** What to do with it, said before the last line. */
  readonly notes?: readonly string[]
  /** Whether a long plan may be shown in a pager. Default true. */
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
  for (const diagnostic of plan.status?.diagnostics ?? [])
    terminal.err(renderDiagnostic(diagnostic, terminal.style, terminal.columns))
  const further = furtherLine(summary)
  const telling = {
    summary,
    style: terminal.style,
    notes: [...notes, ...(further === undefined ? [] : [further])],
    isDrift: plan.spec?.mode === 'RefreshOnly',
  }
  const pages = hasChanges(summary) ? changePages(client, at) : noPages()
  const isLong = terminal.live && pager && countChanges(summary) > pageFrom
  const paper = isLong ? openPager() : undefined
  let last = ''
  for await (const piece of renderPlan(pages, telling)) {
    if (paper === undefined) terminal.out(piece)
    // Who has seen enough ends the pager: the rest need not be fetched.
    else if (!(await paper.write(piece))) break
    last = piece
  }
  await paper?.close()
  // What was in the pager is gone from the screen; what it comes to should stay.
  if (paper !== undefined) terminal.out(last.trimStart())
}

// More changes than this are not read on one screen.
const pageFrom = 200

async function* noPages(): AsyncGenerator<never> {}
