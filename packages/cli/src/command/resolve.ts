import { failedWith } from '@hykube/runtime/client'
import { Command } from 'commander'
import { requireAddress } from './address.ts'
import { CommandError, UsageError } from './failure.ts'
import type { Host } from './host.ts'
import { type Invocation, runs } from './invocation.ts'
import { getResource, locate } from './provider-kinds.ts'

interface ResolveFlags {
  readonly adopt?: string
  readonly retry?: boolean
  readonly forget?: boolean
}

/** `hykube resolve` */
export function resolveCommand(host: Host): Command {
  const command = new Command('resolve')
    .description('Decide about a change whose outcome is not known: look at the real thing first, then say what it is.')
    .argument('<address>', 'as sim_instance.web[3]')
    .option('--adopt <id>', 'it was made: take it over under this id')
    .option('--retry', 'it was not made: do it again')
    .option('--forget', 'leave whatever is there alone')
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
  const instance = address.index === undefined ? {} : { instance: address.index }
  await client.create({ ...at, subresource: 'resolve' }, { ...body, ...instance }).catch((error: unknown) => {
    if (!failedWith(error, 'Conflict')) throw error
    throw new CommandError(
      `${args[0]} waits for no decision: every call to its provider was answered`,
      `See how it stands:  hykube show ${args[0]} -n ${namespace}`,
    )
  })
  terminal.out(`${args[0]}: ${said[body.decision]}\n`)
  return undefined
}

function decisionFrom({ adopt, retry, forget }: ResolveFlags) {
  const given = [adopt !== undefined, retry === true, forget === true].filter(Boolean).length
  if (given !== 1) throw new UsageError('say one of --adopt ID, --retry, --forget')
  if (adopt !== undefined) return { decision: 'Adopt' as const, id: adopt }
  return { decision: retry === true ? ('Retry' as const) : ('Forget' as const) }
}

const said = {
  Adopt: 'taken over; the next plan shows whether it differs',
  Retry: 'it will be done again by the next plan that is applied',
  Forget: 'forgotten; whatever is there stays as it is',
} as const
