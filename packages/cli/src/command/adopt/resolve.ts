import { failedWith } from '@hykube/runtime/client'
import { Command } from 'commander'
import { CommandError, UsageError } from '../host/failure.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { requireAddress } from '../resources/address.ts'
import { getResource, locate } from '../resources/provider-kinds.ts'

interface ResolveFlags {
  readonly adopt?: string
  readonly retry?: boolean
  readonly forget?: boolean
}

/** `hykube resolve` */
export function resolveCommand(host: Host): Command {
  const command = new Command('resolve')
    .description('Resolve a change with unknown outcome: check the real resource first, then choose one of the flags.')
    .argument('<address>', 'address of the instance, such as sim_instance.web[3]')
    .option('--adopt <id>', 'it was created: adopt it under this id')
    .option('--retry', 'it was not created: the next plan creates it')
    .option('--forget', 'forget it: a real resource, if any, is left unmanaged')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube resolve sim_database.main --adopt db-4711\n  hykube resolve sim_instance.web[3] --retry',
    )
  return runs<ResolveFlags>(command, host, resolve)
}

async function resolve({ args, flags, terminal, connect }: Invocation<ResolveFlags>): Promise<undefined> {
  const address = requireAddress(args[0]!)
  const body = decisionFrom(flags)
  const { client, namespace } = await connect()
  const at = await locate(client, address, namespace)
  await getResource(client, at)
  const instance = address.key === undefined ? {} : { instance: address.key }
  await client.create({ ...at, subresource: 'resolve' }, { ...body, ...instance }).catch((error: unknown) => {
    if (!failedWith(error, 'Conflict')) throw error
    throw new CommandError(
      `${args[0]} has no change with unknown outcome`,
      `Show it:  hykube show ${args[0]} -n ${namespace}`,
    )
  })
  terminal.out(`${args[0]}: ${said[body.decision]}\n`)
  return undefined
}

function decisionFrom({ adopt, retry, forget }: ResolveFlags) {
  const given = [adopt !== undefined, retry === true, forget === true].filter(Boolean).length
  if (given !== 1) throw new UsageError('choose one of --adopt ID, --retry and --forget')
  if (adopt !== undefined) return { decision: 'Adopt' as const, id: adopt }
  return { decision: retry === true ? ('Retry' as const) : ('Forget' as const) }
}

const said = {
  Adopt: 'adopted; the next plan shows differences',
  Retry: 'the next plan that is applied creates it',
  Forget: 'forgotten; a real resource, if any, is left as it is',
} as const
