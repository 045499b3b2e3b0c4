import { ageOf } from '@hykube/machinery/object'
import { Command } from 'commander'
import { renderTable } from '../render/index.ts'
import type { Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { documentText } from './output.ts'
import { type Plan, plans } from './plan-api.ts'

interface HistoryFlags {
  readonly limit: string
}

/** `hykube history` */
export function historyCommand(host: Host): Command {
  const command = new Command('history')
    .description('Who planned, approved and applied what, and when; the newest last.')
    .option('--limit <n>', 'so many at most', '50')
    .addHelpText('after', '\nExamples:\n  hykube history\n  hykube history -A -o wide')
  return runs<HistoryFlags>(command, host, history)
}

async function history({ flags, terminal, connect }: Invocation<HistoryFlags>): Promise<number | undefined> {
  const format = outputFormat(flags, ['json', 'yaml', 'name', 'wide'])
  const { client, namespace } = await connect()
  const at = flags.allNamespaces === true ? plans : { ...plans, namespace }
  const all: Plan[] = []
  for await (const page of client.pages<Plan>(at, { labelSelector: flags.selector }))
    all.push(...(page.items as readonly Plan[]))
  const sorted = all.sort(byCreation).slice(-Math.max(1, Number(flags.limit) || 50))
  if (format === 'json' || format === 'yaml')
    terminal.out(await documentText({ apiVersion: 'v1', kind: 'List', metadata: {}, items: sorted }, format))
  else if (format === 'name') terminal.out(sorted.map(({ metadata }) => `plan.hykube.io/${metadata.name}\n`).join(''))
  else if (sorted.length === 0) terminal.err('There are no plans yet. Make one:  hykube plan\n')
  else terminal.out(table(sorted, flags.allNamespaces === true, format === 'wide', terminal))
  return undefined
}

function byCreation(a: Plan, b: Plan): number {
  return String(a.metadata.creationTimestamp).localeCompare(String(b.metadata.creationTimestamp))
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
    authorOf(plan),
    plan.status?.approval?.by ?? '',
    tookOf(plan),
    ageOf(plan.metadata.creationTimestamp, now()),
    ...(wide ? [plan.status?.approval?.message ?? plan.status?.message ?? ''] : []),
  ])
  const further = wide ? [...headings, 'MESSAGE'] : headings
  if (!everywhere) return renderTable(further, rows, live ? columns : undefined)
  const withNamespace = rows.map((row, index) => [all[index]!.metadata.namespace ?? '', ...row])
  return renderTable(['NAMESPACE', ...further], withNamespace, live ? columns : undefined)
}

function counts({ status }: Plan): string {
  const { create = 0, update = 0, replace = 0, delete: gone = 0 } = status?.summary ?? {}
  return `+${create} ~${update} ±${replace} -${gone}`
}

function authorOf({ status, metadata }: Plan): string {
  return status?.author ?? status?.planned?.by ?? metadata.annotations?.['hykube.io/author'] ?? ''
}

function tookOf({ status }: Plan): string {
  const [from, to] = [Date.parse(status?.startedAt ?? ''), Date.parse(status?.finishedAt ?? '')]
  return Number.isNaN(from) || Number.isNaN(to) ? '' : `${((to - from) / 1000).toFixed(1)}s`
}
