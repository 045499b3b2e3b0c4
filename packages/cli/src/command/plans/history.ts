import { ageOf } from '@hykube/machinery/amounts'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { addOutputFlag, addSelectionFlags, type OutputFlags, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { inNamespace } from './hint.ts'
import { type Plan, plans } from './plan-api.ts'

interface HistoryFlags extends SelectionFlags, OutputFlags<'json' | 'yaml' | 'name' | 'wide'> {
  readonly limit: string
}

/** `hykube history` */
export function historyCommand(host: Host): Command {
  const command = new Command('history')
    .description('List plans, oldest first: who planned, approved and applied them, and when.')
    .option('--limit <n>', 'maximum number of plans', '50')
    .addHelpText('after', '\nExamples:\n  hykube history\n  hykube history -A -o wide')
  addOutputFlag(addSelectionFlags(command), ['json', 'yaml', 'name', 'wide'])
  return runs<HistoryFlags>(command, host, history)
}

async function history({ flags, terminal, connect }: Invocation<HistoryFlags>): Promise<number | undefined> {
  const connection = await connect()
  const { client, namespace } = connection
  const at = flags.allNamespaces === true ? plans : { ...plans, namespace }
  const all: Plan[] = []
  for await (const page of client.pages<Plan>(at, { labelSelector: flags.selector }))
    all.push(...(page.items as readonly Plan[]))
  const sorted = all.sort(byCreation).slice(-Math.max(1, Number(flags.limit) || 50))
  const { output } = flags
  if (output === 'json' || output === 'yaml')
    terminal.out(await documentText({ apiVersion: 'v1', kind: 'List', metadata: {}, items: sorted }, output))
  else if (output === 'name') terminal.out(sorted.map(({ metadata }) => `plan.hykube.io/${metadata.name}\n`).join(''))
  else if (sorted.length === 0)
    terminal.err(`There are no plans yet. Make one:  hykube plan${inNamespace(connection, namespace)}\n`)
  else terminal.out(table(sorted, flags.allNamespaces === true, output === 'wide', terminal))
  return undefined
}

// Creation times have seconds; within one second, the revisions that planning read give the order.
function byCreation(a: Plan, b: Plan): number {
  const times = [a, b].map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''))
  const revisions = [a, b].map(({ status }) => status?.planned?.revision ?? Number.MAX_SAFE_INTEGER)
  return times[0]! - times[1]! || revisions[0]! - revisions[1]!
}

function table(
  all: readonly Plan[],
  everywhere: boolean,
  wide: boolean,
  { now, columns, live }: Invocation['terminal'],
): string {
  const headings = ['PLAN', 'MODE', 'PHASE', 'CHANGES', 'PLANNED BY', 'APPROVED BY', 'TOOK', 'AGE']
  const rows = all.map((plan) => [
    plan.metadata.name!,
    plan.spec?.mode ?? 'Normal',
    plan.status?.phase ?? 'Pending',
    counts(plan),
    plan.metadata.annotations?.['hykube.io/author'] ?? '',
    plan.status?.approval?.by ?? '',
    durationOf(plan),
    ageOf(plan.metadata.creationTimestamp, now()),
    ...(wide ? [plan.status?.approval?.message ?? plan.status?.message ?? ''] : []),
  ])
  const further = wide ? [...headings, 'MESSAGE'] : headings
  if (!everywhere) return renderTable(further, rows, live ? columns : undefined)
  const withNamespace = rows.map((row, index) => [all[index]!.metadata.namespace ?? '', ...row])
  return renderTable(['NAMESPACE', ...further], withNamespace, live ? columns : undefined)
}

function counts({ status }: Plan): string {
  const { create = 0, update = 0, replace = 0, delete: deleted = 0 } = status?.summary ?? {}
  return `+${create} ~${update} ±${replace} -${deleted}`
}

function durationOf({ status }: Plan): string {
  const [from, to] = [Date.parse(status?.startedAt ?? ''), Date.parse(status?.finishedAt ?? '')]
  return Number.isNaN(from) || Number.isNaN(to) ? '' : `${((to - from) / 1000).toFixed(1)}s`
}
