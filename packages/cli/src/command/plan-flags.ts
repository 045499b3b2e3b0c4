import { type LabelSelectorObject, labelSelectorFromText, SelectorError } from '@hykube/machinery/object'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from './failure.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { PlanSpec } from './plan-api.ts'

/** What can be said about a plan to be made. `apply` and `destroy` take it too. */
export interface PlanFlags {
  readonly target?: readonly string[]
  readonly exclude?: readonly string[]
  readonly replace?: readonly string[]
  readonly kind?: readonly string[]
  readonly destroy?: boolean
  readonly refreshOnly?: boolean
  readonly refresh?: 'none' | 'changed' | 'all'
  readonly replan?: boolean
  readonly parallelism?: number
  readonly expiresAfter?: string
  readonly out?: string
  readonly detailedExitcode?: boolean
  readonly pager?: boolean
}

/** Puts the flags of a plan on a command. */
export function addPlanFlags(command: Command): Command {
  return command
    .addOption(
      several(
        '--target <address>',
        'only this, with all it refers to (destroy: with all that depends on it); may be given several times',
      ),
    )
    .addOption(several('--exclude <address>', 'all but this; may be given several times'))
    .addOption(several('--replace <address>', 'make this anew; may be given several times'))
    .addOption(
      several('--kind <kind>', 'only this kind or type, as SimNetwork or sim_network; may be given several times'),
    )
    .option('--destroy', 'plan to remove what is outside')
    .option('--refresh-only', 'only look at what was changed outside')
    .addOption(
      new Option('--refresh <what>', 'what is read anew first (default: changed)').choices(['none', 'changed', 'all']),
    )
    .option('--replan', 'plan everything in the selection, also what is known to be settled')
    .addOption(new Option('--parallelism <n>', 'how many changes are carried out at a time').argParser(positive))
    .option('--expires-after <duration>', 'how long the plan may wait for its approval, as 30m or 24h')
    .option('--out <name>', 'the name of the plan; else the server chooses one')
    .option('--detailed-exitcode', 'end with 2 when there are changes')
    .option('--no-pager', 'write a long plan without a pager')
}

/** What is wanted of a plan, out of the flags. */
export function planSpecFrom(flags: GlobalFlags & PlanFlags): PlanSpec {
  if (flags.destroy === true && flags.refreshOnly === true)
    throw new UsageError('--destroy and --refresh-only can not be together: one removes, the other only looks')
  const { target, exclude, replace, kind, parallelism, expiresAfter } = flags
  const mode = flags.destroy === true ? 'Destroy' : flags.refreshOnly === true ? 'RefreshOnly' : undefined
  const fields: Partial<Record<keyof PlanSpec, unknown>> = {
    mode,
    refresh: flags.refresh === undefined ? undefined : refreshes[flags.refresh],
    scope: flags.replan === true ? 'All' : undefined,
    selector: flags.selector === undefined ? undefined : selectorObject(flags.selector),
    targets: target,
    excludes: exclude,
    replace,
    kinds: kind,
    allNamespaces: flags.allNamespaces,
    parallelism,
    expiresAfter,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as PlanSpec
}

const refreshes = { none: 'None', changed: 'Changed', all: 'All' } as const

function selectorObject(text: string): LabelSelectorObject {
  const requirements = parsedSelector(text)
  const matchLabels = Object.fromEntries(
    requirements.flatMap(({ key, operator, values }) => (isEquality(operator) ? [[key, values[0]!]] : [])),
  )
  const matchExpressions = requirements
    .filter(({ operator }) => !isEquality(operator))
    .map(({ key, operator, values }) => ({
      key,
      operator: operators[operator] ?? unsupported(text, operator),
      ...(values.length > 0 && { values }),
    }))
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  }
}

const operators: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
}

function isEquality(operator: string): boolean {
  return operator === '=' || operator === '=='
}

function parsedSelector(text: string) {
  try {
    return labelSelectorFromText(text).requirements ?? []
  } catch (error) {
    if (error instanceof SelectorError) throw new UsageError(`--selector ${JSON.stringify(text)}: ${error.message}`)
    throw error
  }
}

function unsupported(text: string, operator: string): never {
  throw new UsageError(`--selector ${JSON.stringify(text)}: a plan can not select by ${operator}`)
}

function several(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value, others: readonly string[] | undefined) => [
    ...(others ?? []),
    value,
  ])
}

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a number from 1 on.')
  return value
}
