import { Command, Option } from 'commander'
import { addressToText } from './address.ts'
import { CommandError } from './failure.ts'
import type { Host } from './host.ts'
import { inParallel } from './in-parallel.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { documentText } from './output.ts'
import { providerKinds } from './provider-kinds.ts'
import { idExpressions, type StateAnswer, sendState } from './state-api.ts'
import { readStateFile, type StateResource, stateAddress } from './state-file.ts'
import { objectNames, pairsFrom } from './state-names.ts'
import { inWaves, type OrderedResource } from './state-order.ts'
import { type StateTarget, targetOf } from './state-targets.ts'

interface ImportStateFlags {
  readonly dryRun?: boolean
  readonly provider?: readonly string[]
  readonly name?: readonly string[]
}

/** `hykube import-state` */
export function importStateCommand(host: Host): Command {
  const command = new Command('import-state')
    .description(
      'Take over all that a state file of Terraform or OpenTofu knows: each resource becomes an object with its state. Nothing outside is touched, and the file stays as it is.',
    )
    .argument('<file...>', 'state files, as terraform state pull writes them')
    .option('--dry-run', 'show the objects and write nothing; -o yaml shows them whole')
    .addOption(
      several(
        '--provider <key=provider>',
        'which Provider has the types of one in the state, as aws=aws6, or aws.west=aws6/west with a ProviderConfig',
      ),
    )
    .addOption(several('--name <address=name>', 'the name of an object, as module.a.aws_vpc.b=b'))
    .addHelpText(
      'after',
      '\nExamples:\n  hykube import-state terraform.tfstate --dry-run\n  hykube import-state terraform.tfstate -n prod\n  hykube plan --replan --refresh all',
    )
  return runs<ImportStateFlags>(command, host, importState)
}

function several(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value, others: readonly string[] | undefined) => [
    ...(others ?? []),
    value,
  ])
}

// The server writes what comes at the same time in one go.
const manyAtATime = 96

async function importState(invocation: Invocation<ImportStateFlags>): Promise<number> {
  const { flags, args, terminal } = invocation
  const format = outputFormat(flags, ['yaml', 'json', 'name'])
  const files = await Promise.all(args.map(readStateFile))
  const resources = files.flatMap(({ resources: of }) => of)
  if (resources.length === 0) throw new CommandError(`there are no resources in ${args.join(', ')}`)
  const names = objectNames(resources, pairsFrom('--name', flags.name ?? []))
  const { client, namespace } = await invocation.connect()
  const choices = pairsFrom('--provider', flags.provider ?? [])
  const kinds = await providerKinds(client)
  const targets = new Map(resources.map((each) => [each, targetOf(each, kinds, choices, namespace, names.get(each)!)]))
  const answers = new Map<StateResource, StateAnswer>()
  for (const wave of inWaves(resources))
    await inParallel(
      wave,
      async (ordered) => {
        const { at, configuration } = targets.get(ordered.resource)!
        const request = { instances: ordered.resource.instances, configuration, ...madeFrom(ordered, targets, answers) }
        const answer = await sendState(client, at, request, flags.dryRun === true)
        answers.set(ordered.resource, answer)
        terminal.out(await lineOf(ordered.resource, targets.get(ordered.resource)!, answer, format))
      },
      manyAtATime,
    )
  const skipped = files.reduce((sum, { dataSources }) => sum + dataSources, 0)
  if (skipped > 0) terminal.err(`${skipped} data sources were left out: they hold nothing that exists\n`)
  if (format === undefined) terminal.out(summaryOf([...answers.values()], flags.dryRun === true))
  return [...answers.values()].some(({ kind }) => kind === 'refused') ? 1 : 0
}

// What was refused can't be referred to.
function madeFrom(
  { all, direct }: OrderedResource,
  targets: ReadonlyMap<StateResource, StateTarget>,
  answers: ReadonlyMap<StateResource, StateAnswer>,
) {
  const nameOf = (resource: StateResource) => {
    const { at } = targets.get(resource)!
    return addressToText({ data: false, type: resource.type, name: at.name })
  }
  const isThere = (resource: StateResource) => (answers.get(resource)?.kind ?? 'refused') !== 'refused'
  return {
    dependencies: direct.filter(isThere).map(nameOf),
    references: all.flatMap((resource) => {
      const answer = answers.get(resource)
      if (answer === undefined || answer.kind === 'refused') return []
      const dependency = nameOf(resource)
      return idExpressions(dependency, resource.instances, answer.object).map((each) => ({ dependency, ...each }))
    }),
  }
}

async function lineOf(
  resource: StateResource,
  { at }: StateTarget,
  answer: StateAnswer,
  format: 'yaml' | 'json' | 'name' | undefined,
): Promise<string> {
  const from = stateAddress(resource)
  if (answer.kind === 'refused') return `${format === 'yaml' ? '# ' : ''}${from}: refused: ${answer.message}\n`
  if (format === 'yaml') return `---\n${await documentText(answer.object, 'yaml')}`
  if (format === 'json') return `${JSON.stringify(answer.object)}\n`
  if (format === 'name') return `${at.resource}.${at.group}/${at.name}\n`
  const count = resource.instances.length
  const many = count === 1 ? '' : ` (${count} instances)`
  return `${from} → ${at.resource}/${at.name}${many}${answer.kind === 'there' ? ': there already' : ''}\n`
}

function summaryOf(answers: readonly StateAnswer[], dryRun: boolean): string {
  const count = (kind: StateAnswer['kind']) => answers.filter((each) => each.kind === kind).length
  const [taken, there, refused] = [count('taken'), count('there'), count('refused')]
  if (dryRun)
    return `\nDry run: ${taken} to take over, ${there} there already, ${refused} refused. Nothing was written.\n`
  const next = taken > 0 ? 'See that nothing would change:  hykube plan --replan --refresh all\n\n' : ''
  return `\n${next}Import complete! Objects: ${taken} taken over, ${there} there already, ${refused} refused.\n`
}
