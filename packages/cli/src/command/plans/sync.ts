import { ageOf } from '@hykube/machinery/amounts'
import type { Condition, KubernetesObject } from '@hykube/machinery/object'
import { checkRequest, type SyncPolicySpec, type SyncPolicyStatus } from '@hykube/machinery/sync-api'
import type { Stored } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { addOutputFlag, addSelectionFlags, type OutputFlags, type SelectionFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'

/** `hykube sync` */
export function syncCommand(host: Host): Command {
  const command = new Command('sync').description('Show and control sync policies: how far the server acts by itself.')
  const status = new Command('status')
    .description('List sync policies with their mode, drift, newest plan and what they wait for.')
    .addHelpText('after', '\nExamples:\n  hykube sync status\n  hykube sync status -A')
  const suspend = change('suspend', 'Stop a policy until it is resumed.')
  const resume = change('resume', 'Let a suspended policy act again.')
  const now = change('now', 'Check for drift now instead of at the next scheduled time.')
  return command
    .addCommand(runs<StatusFlags>(addOutputFlag(addSelectionFlags(status), ['json', 'yaml']), host, showStatus))
    .addCommand(runs<PolicyFlags>(suspend, host, patching({ spec: { suspend: true } }, 'suspended')))
    .addCommand(runs<PolicyFlags>(resume, host, patching({ spec: { suspend: false } }, 'resumed')))
    .addCommand(runs<PolicyFlags>(now, host, checkNow))
    .addHelpText('after', '\nExamples:\n  hykube sync status\n  hykube sync suspend web\n  hykube sync now web')
}

type StatusFlags = SelectionFlags & OutputFlags<'json' | 'yaml'>

interface PolicyFlags {
  readonly cluster?: boolean
}

function change(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<policy>', 'name of the SyncPolicy')
    .option('--cluster', 'the policy is a ClusterSyncPolicy')
    .addHelpText('after', `\nExample:\n  hykube sync ${name} web`)
}

interface Policy extends KubernetesObject {
  readonly spec: SyncPolicySpec
  readonly status?: SyncPolicyStatus
}

const policies = { group: 'hykube.io', version: 'v1alpha1', resource: 'syncpolicies' } as const
const clusterPolicies = { ...policies, resource: 'clustersyncpolicies' } as const

async function showStatus({ flags, terminal, connect }: Invocation<StatusFlags>): Promise<undefined> {
  const format = flags.output
  const { client, namespace } = await connect()
  const all: Stored<Policy>[] = []
  const own = flags.allNamespaces === true ? policies : { ...policies, namespace }
  for (const at of [own, clusterPolicies])
    for await (const page of client.pages<Policy>(at, { labelSelector: flags.selector }))
      all.push(...(page.items as Stored<Policy>[]))
  if (format !== undefined)
    terminal.out(await documentText({ apiVersion: 'v1', kind: 'List', metadata: {}, items: all }, format))
  else if (all.length === 0) terminal.err('There are no sync policies: the server does nothing by itself.\n')
  else terminal.out(table(all, terminal))
  return undefined
}

function table(all: readonly Policy[], { now, columns, live }: Invocation['terminal']): string {
  const headings = ['NAMESPACE', 'POLICY', 'MODE', 'RESOURCES', 'DRIFTED', 'LAST CHECK', 'PLAN', 'STATE']
  const rows = all.map(({ metadata, spec, status = {} }) => [
    metadata?.namespace ?? '(all)',
    metadata?.name ?? '',
    spec.mode,
    String(status.resources ?? ''),
    String(status.drifted ?? ''),
    status.lastCheck === undefined ? '' : ageOf(status.lastCheck, now()),
    status.plan ?? '',
    stateOf(status.conditions ?? []),
  ])
  return renderTable(headings, rows, live ? columns : undefined)
}

// The reason to act upon: a conflict with an older policy, a plan that waits, and otherwise how the last check went.
function stateOf(conditions: readonly Condition[]): string {
  const shown = (['Conflict', 'Waiting'] as const).map((name) =>
    conditions.find(({ type, status }) => type === name && status === 'True'),
  )
  return [...shown, conditions.find(({ type }) => type === 'Ready')].find((each) => each !== undefined)?.reason ?? ''
}

function patching(patch: object, done: string) {
  return async ({ args, flags, terminal, connect }: Invocation<PolicyFlags>): Promise<undefined> => {
    const { client, namespace } = await connect()
    const name = args[0]!
    const at = flags.cluster === true ? { ...clusterPolicies, name } : { ...policies, namespace, name }
    await client.patch(at, { kind: 'merge', patch })
    terminal.out(`Sync policy ${JSON.stringify(name)}: ${done}.\n`)
    return undefined
  }
}

async function checkNow(invocation: Invocation<PolicyFlags>): Promise<undefined> {
  // Each request needs a value of its own, also two within a second.
  const at = new Date(invocation.terminal.now()).toISOString()
  const patch = { metadata: { annotations: { [checkRequest]: at } } }
  return patching(patch, 'the check begins')(invocation)
}
