import { inParallel } from '@hykube/machinery/base'
import { addressToText } from '@hykube/machinery/object'
import { Command } from 'commander'
import { CommandError } from '../host/failure.ts'
import { addOutputFlag, type OutputFlags, repeatable } from '../host/flags.ts'
import type { Connection, Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { inNamespace } from '../plans/hint.ts'
import { providerKinds } from '../resources/provider-kinds.ts'
import { SharedIds } from './shared-ids.ts'
import { idExpressions, type StateAnswer, sendState, specText, verdictOf } from './state-api.ts'
import { readStateFile, type StateResource, stateAddress } from './state-file.ts'
import { objectNames, pairsFrom } from './state-names.ts'
import { inWaves, type OrderedResource } from './state-order.ts'
import { type StateTarget, targetOf } from './state-targets.ts'

type Format = 'yaml' | 'json' | 'name'

interface ImportStateFlags extends OutputFlags<Format> {
  readonly dryRun?: boolean
  readonly allowSharedIds?: boolean
  readonly provider?: readonly string[]
  readonly name?: readonly string[]
}

/** `hykube import-state` */
export function importStateCommand(host: Host): Command {
  const command = new Command('import-state')
    .description(
      'Adopt the resources of a Terraform or OpenTofu state file: each becomes an object with its state. Real resources and the file are not changed.',
    )
    .argument('<file...>', 'state files, as written by terraform state pull')
    .option(
      '--dry-run',
      'show each spec and what a plan would change, without writing; -o yaml shows the objects completely',
    )
    .addOption(
      repeatable(
        '--provider <key=provider>',
        'Provider for a provider of the state, such as aws=aws6, or aws.west=aws6/west with a ProviderConfig',
      ),
    )
    .addOption(repeatable('--name <address=name>', 'name of an object, such as module.a.aws_vpc.b=b'))
    .option('--allow-shared-ids', 'adopt resources with an id that another object manages; needs delete on that object')
    .addHelpText(
      'after',
      `
Resources that exist only in Terraform, such as terraform_data, are skipped. Exits with 1 when a resource was refused;
the others are adopted, and the command can be repeated.

Examples:
  hykube import-state terraform.tfstate --dry-run
  hykube import-state terraform.tfstate -n prod
  hykube plan --replan --refresh all`,
    )
  return runs<ImportStateFlags>(addOutputFlag(command, ['yaml', 'json', 'name']), host, importState)
}

// The server writes concurrent requests in one commit.
const concurrentRequests = 96

async function importState(invocation: Invocation<ImportStateFlags>): Promise<number> {
  const { flags, args, terminal } = invocation
  const files = await Promise.all(args.map(readStateFile))
  const resources = files.flatMap(({ resources: of }) => of)
  if (resources.length === 0) throw new CommandError(`no resources in ${args.join(', ')}`)
  const names = objectNames(resources, pairsFrom('--name', flags.name ?? []))
  const connection = await invocation.connect()
  const { client, namespace } = connection
  const choices = pairsFrom('--provider', flags.provider ?? [])
  const kinds = await providerKinds(client)
  const targets = new Map<StateResource, StateTarget>()
  const answers = new Map<StateResource, StateAnswer>()
  const settle = async (resource: StateResource, answer: StateAnswer) => {
    answers.set(resource, answer)
    terminal.out(await lineOf(resource, targets.get(resource), answer, flags))
  }
  for (const resource of resources) {
    const target = targetOf(resource, kinds, choices, namespace, names.get(resource)!)
    if ('kind' in target) await settle(resource, target)
    else targets.set(resource, target)
  }
  const shared = new SharedIds(targets)
  for (const warning of shared.warnings) terminal.err(`Warning: ${warning}\n`)
  for (const wave of inWaves(resources.filter((each) => targets.has(each))))
    await inParallel(wave, concurrentRequests, async (ordered) => {
      const { at, configuration } = targets.get(ordered.resource)!
      const { instances } = ordered.resource
      const ids = {
        sharesIdsWith: shared.othersOf(ordered.resource),
        allowSharedIds: flags.allowSharedIds === true,
      }
      const request = { instances, configuration, ...inputsOf(ordered, targets, answers), ...ids }
      await settle(ordered.resource, await sendState(client, at, request, flags.dryRun === true))
    })
  const dataSources = files.reduce((sum, file) => sum + file.dataSources, 0)
  if (dataSources > 0) terminal.err(`Skipped ${dataSources} data sources: they are read again when they are needed.\n`)
  if (flags.output === undefined) terminal.out(summaryOf(connection, [...answers.values()], flags.dryRun === true))
  return [...answers.values()].some(({ kind }) => kind === 'refused') ? 1 : 0
}

// References to resources that were not adopted are left out.
function inputsOf(
  { all, direct }: OrderedResource,
  targets: ReadonlyMap<StateResource, StateTarget>,
  answers: ReadonlyMap<StateResource, StateAnswer>,
) {
  const nameOf = (resource: StateResource) => {
    const { at } = targets.get(resource)!
    return addressToText({ data: false, type: resource.type, name: at.name })
  }
  const objectOf = (resource: StateResource) => {
    const answer = answers.get(resource)
    return answer !== undefined && 'object' in answer ? answer.object : undefined
  }
  return {
    dependencies: direct.filter((each) => objectOf(each) !== undefined).map(nameOf),
    references: all.flatMap((resource) => {
      const object = objectOf(resource)
      if (object === undefined) return []
      const dependency = nameOf(resource)
      return idExpressions(dependency, resource.instances, object).map((each) => ({ dependency, ...each }))
    }),
  }
}

async function lineOf(
  resource: StateResource,
  target: StateTarget | undefined,
  answer: StateAnswer,
  { output: format, dryRun = false }: ImportStateFlags,
): Promise<string> {
  const from = stateAddress(resource)
  if (target === undefined || !('object' in answer))
    return `${format === 'yaml' ? '# ' : ''}${from}: ${answer.kind}${'message' in answer ? `: ${answer.message}` : ''}\n`
  const { at } = target
  if (format === 'yaml') return `---\n${await documentText(answer.object, 'yaml')}`
  if (format === 'json') return `${JSON.stringify(answer.object)}\n`
  if (format === 'name') return `${at.resource}.${at.group}/${at.name}\n`
  const count = resource.instances.length
  const many = count === 1 ? '' : ` (${count} instances)`
  const line = `${from} → ${at.resource}/${at.name}${many}`
  if (answer.kind === 'there') return `${line}: adopted before\n`
  return dryRun ? `${line}: ${verdictOf(answer.object)}\n${await specText(answer.object)}` : `${line}\n`
}

function summaryOf(connection: Connection, answers: readonly StateAnswer[], dryRun: boolean): string {
  const count = (kind: StateAnswer['kind']) => answers.filter((each) => each.kind === kind).length
  const skipped = count('skipped') === 0 ? '' : `${count('skipped')} skipped, `
  const rest = `${count('there')} adopted before, ${skipped}${count('refused')} refused.`
  if (dryRun) return `\nDry run: ${count('taken')} to adopt, ${rest} Nothing was written.\n`
  const flag = inNamespace(connection, connection.namespace)
  const next =
    count('taken') > 0 ? `Check that no change is planned:  hykube plan --replan --refresh all${flag}\n\n` : ''
  return `\n${next}Import complete! Objects: ${count('taken')} adopted, ${rest}\n`
}
