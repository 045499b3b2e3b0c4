import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@hykube/runtime/client'
import { Command } from 'commander'
import { renderTable } from '../../render/index.ts'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'

/** `hykube keys` */
export function keysCommand(host: Host): Command {
  const command = new Command('keys').description(
    'Show and rotate the keys that encrypt Secrets and provider state at rest.',
  )
  const status = new Command('status')
    .description('Show the ids of the master key and the data keys, and the last rotation.')
    .addHelpText('after', '\nExample:\n  hykube keys status')
  const rotate = new Command('rotate')
    .description('Encrypt everything with a new data key, while the server runs.')
    .option('--master', 'replace the master key, which encrypts the data keys, instead')
    .option('--no-wait', 'return once the new key is in use; values are rewritten in the background')
    .addHelpText(
      'after',
      `
Needs the verb post on /keys/data, or on /keys/master with --master. Older backups need the old master key, which the
server keeps beside the new one.

Examples:
  hykube keys rotate
  hykube keys rotate --master`,
    )
  return command
    .addCommand(runs<StatusFlags>(addOutputFlag(status, ['json', 'yaml']), host, showStatus))
    .addCommand(runs<RotateFlags>(rotate, host, rotateKeys))
    .addHelpText('after', '\nExamples:\n  hykube keys status\n  hykube keys rotate')
}

type StatusFlags = OutputFlags<'json' | 'yaml'>

interface RotateFlags {
  readonly master?: boolean
  readonly wait?: boolean
}

interface KeyStatus {
  readonly masterKey: { readonly id: string; readonly source: string; readonly managed: boolean }
  readonly dataKeys: readonly { readonly id: number; readonly created: string }[]
  readonly rotation?: {
    readonly phase: string
    readonly started: string
    readonly finished?: string
    readonly rewritten: number
  }
  readonly oldKey?: string
}

async function showStatus({ flags, terminal, connect }: Invocation<StatusFlags>): Promise<undefined> {
  const status = await statusOf((await connect()).client)
  terminal.out(flags.output === undefined ? described(status) : await documentText(status, flags.output))
  return undefined
}

async function rotateKeys({ flags, terminal, connect }: Invocation<RotateFlags>): Promise<undefined> {
  const { client } = await connect()
  if (flags.master === true) {
    const { masterKey, oldKey } = await client.raw<KeyStatus>({ method: 'POST', path: '/keys/master' })
    terminal.out(`Master key ${masterKey.id} now encrypts the data keys.\n`)
    if (oldKey !== undefined)
      terminal.err(`The old key is in ${oldKey} on the server. Remove it once no older backup is needed.\n`)
    return undefined
  }
  let status = await client.raw<KeyStatus>({ method: 'POST', path: '/keys/data' })
  const { id } = status.dataKeys[0]!
  terminal.err(`Data key ${id} is in use; older values are being rewritten.\n`)
  if (flags.wait === false) return undefined
  for (let shown = 0; status.rotation?.phase === 'Running'; status = await statusOf(client)) {
    if (status.rotation.rewritten > shown) terminal.err(`${status.rotation.rewritten} values rewritten\n`)
    shown = status.rotation.rewritten
    await sleep(500)
  }
  terminal.out(`Data key ${id} encrypts all values: ${status.rotation?.rewritten ?? 0} were rewritten.\n`)
  return undefined
}

function statusOf(client: Client): Promise<KeyStatus> {
  return client.raw<KeyStatus>({ method: 'GET', path: '/keys' })
}

function described({ masterKey, dataKeys, rotation }: KeyStatus): string {
  const keys = renderTable(
    ['KEY', 'ID', 'CREATED', 'USE'],
    [
      ['master', masterKey.id, '', `wraps the data keys; from ${masterKey.source}`],
      ...dataKeys.map(({ id, created }, at) => [
        'data',
        String(id),
        created,
        at === 0 ? 'encrypts' : 'reads older values',
      ]),
    ],
  )
  if (rotation === undefined) return `${keys}\nThe data key was never rotated.\n`
  const { phase, started, finished, rewritten } = rotation
  const end = phase === 'Running' ? `runs since ${started}` : `finished ${finished}`
  return `${keys}\nThe last rotation of the data key ${end}: ${rewritten} values rewritten.\n`
}
