import { ageOf } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { Client } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { namedObjects } from '../resources/named-objects.ts'

/** `hykube describe` */
export function describeCommand(host: Host): Command {
  const command = new Command('describe')
    .description('Show objects with all their fields and recent events.')
    .argument('<type>', 'resource type, TYPE/NAME, or address such as sim_network.main')
    .argument('[name...]', 'names of objects')
    .addHelpText('after', '\nExamples:\n  hykube describe provider sim\n  hykube describe sim_network.main')
  return runs(command, host, describe)
}

async function describe({ args, terminal, connect }: Invocation): Promise<undefined> {
  const { client, namespace: own } = await connect()
  for (const { kind, namespace, names } of await namedObjects(client, args, own)) {
    const { group, version, resource, namespaced } = kind
    const at = { group, version, resource, ...(namespaced && { namespace }) }
    const all = names.length > 0 ? names : (await client.list(at)).items.flatMap(({ metadata }) => metadata?.name ?? [])
    for (const name of all) {
      const { apiVersion, kind: kindName, metadata, ...rest } = await client.get({ ...at, name })
      const { managedFields: _, ...shown } = metadata
      terminal.out(await documentText({ apiVersion, kind: kindName, metadata: shown, ...rest }, 'yaml'))
      terminal.out(`${await eventTable(client, metadata, terminal.now())}\n`)
    }
  }
}

interface Event extends KubernetesObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string
}

// Events of cluster-scoped objects are in the namespace default.
async function eventTable(
  client: Client,
  { uid, namespace = 'default' }: NonNullable<KubernetesObject['metadata']>,
  now: number,
): Promise<string> {
  const at = { group: '', version: 'v1', resource: 'events', namespace }
  const { items } = await client.list<Event>(at, { fieldSelector: `involvedObject.uid=${uid}`, limit: 100 })
  if (items.length === 0) return 'Events: none\n'
  const rows = items.map(({ type = '', reason = '', message = '', count = 1, lastTimestamp }) => [
    ageOf(lastTimestamp, now),
    type,
    reason,
    `${message}${count > 1 ? ` (${count} times)` : ''}`,
  ])
  return `Events:\n${renderTable(['AGE', 'TYPE', 'REASON', 'MESSAGE'], rows)}`
}
