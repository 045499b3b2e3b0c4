import type { PlanSpec } from '@hykube/machinery/plan-api'
import { type LabelSelectorObject, labelSelectorFromText, SelectorError } from '@hykube/machinery/selector'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../host/failure.ts'
import { addSelectionFlags, repeatable, type SelectionFlags } from '../host/flags.ts'

/** The flags of a plan. Each command offers those that make sense for it. */
export interface PlanFlags extends SelectionFlags {
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

/** Adds the flags that select objects, and those that every plan has. */
export function addPlanFlags(command: Command): Command {
  addSelectionFlags(command)
    .addOption(
      repeatable('--target <address>', 'only this resource and those it depends on (destroy: those that depend on it)'),
    )
    .addOption(repeatable('--exclude <address>', 'all but this resource'))
    .addOption(repeatable('--kind <kind>', 'only this kind or type, such as SimNetwork or sim_network'))
  return addKeptPlanFlags(command)
}

/** Adds the flags of the Plan object itself. */
export function addKeptPlanFlags(command: Command): Command {
  return command
    .addOption(new Option('--parallelism <n>', 'maximum number of changes applied at once').argParser(positive))
    .option('--expires-after <duration>', 'how long the plan waits for approval, such as 30m or 24h')
    .option('--out <name>', 'name of the plan (default: generated)')
    .option('--no-pager', 'print long plans without a pager')
}

/** Adds the flags that decide what is read before planning. */
export function addRefreshFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--refresh <what>', 'real resources to read first (default: changed)').choices([
        'none',
        'changed',
        'all',
      ]),
    )
    .option('--replan', 'plan every selected object, also those without changes')
}

/** Adds the flags that change the mode of a plan. */
export function addModeFlags(command: Command): Command {
  return addRefreshFlags(command)
    .addOption(repeatable('--replace <address>', 'replace this resource'))
    .option('--destroy', 'plan to destroy the real resources; the objects are kept')
    .option('--refresh-only', 'plan to accept changes made outside, without changing anything')
    .option('--detailed-exitcode', 'exit with 2 when there are changes')
}

/** The spec of a plan from flags. Contradictory flags are a usage error. */
export function planSpecFrom(flags: PlanFlags): PlanSpec {
  refuseContradictions(flags)
  const mode = flags.destroy === true ? 'Destroy' : flags.refreshOnly === true ? 'RefreshOnly' : undefined
  const fields: Partial<Record<keyof PlanSpec, unknown>> = {
    mode,
    refresh: flags.refresh === undefined ? undefined : refreshes[flags.refresh],
    scope: flags.replan === true ? 'All' : undefined,
    selector: flags.selector === undefined ? undefined : selectorObject(flags.selector),
    targets: flags.target,
    excludes: flags.exclude,
    replace: flags.replace,
    kinds: flags.kind,
    allNamespaces: flags.allNamespaces,
    parallelism: flags.parallelism,
    expiresAfter: flags.expiresAfter,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as PlanSpec
}

function refuseContradictions({ destroy, refreshOnly, replace, refresh }: PlanFlags): void {
  const pairs: readonly (readonly [boolean, string])[] = [
    [destroy === true && refreshOnly === true, '--destroy and --refresh-only: one destroys, the other changes nothing'],
    [destroy === true && replace !== undefined, '--destroy and --replace: a destroyed resource is not replaced'],
    [refreshOnly === true && replace !== undefined, '--refresh-only and --replace: a refresh changes nothing'],
    [refreshOnly === true && refresh === 'none', '--refresh-only and --refresh=none: nothing would be read'],
  ]
  for (const [isGiven, text] of pairs) if (isGiven) throw new UsageError(`cannot combine ${text}`)
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
  throw new UsageError(`--selector ${JSON.stringify(text)}: plans do not support the operator ${operator}`)
}

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Use a number from 1 on.')
  return value
}
