import type { PlanChange } from '@hykube/machinery/plan-api'
import { compareResource } from './difference/compare.ts'
import { writeBlock } from './difference/write.ts'
import type { Style } from './style.ts'

/** One change of a plan as Terraform prints it, with an empty line after it. */
export function renderChange(change: PlanChange, style: Style): string {
  return render(change, style, headline(change, style))
}

/** One entry of a drift report: an object that was changed or deleted outside. */
export function renderDrift(change: PlanChange, style: Style): string {
  const isGone = change.action === 'forget' || change.action === 'delete'
  const line = `${style.bold(`  # ${change.address}`)} has ${isGone ? 'been deleted' : 'changed'}`
  return render({ ...change, action: isGone ? 'delete' : change.action }, style, line)
}

function render(change: PlanChange, style: Style, first: string): string {
  const lines = [first, ...explanations(change).map((text) => `  # ${text}`)]
  if (change.change !== undefined && change.action !== 'blocked' && change.action !== 'deferred')
    lines.push(body(change, style))
  for (const { severity, summary, detail, field } of change.diagnostics ?? []) {
    const mark = severity === 'error' ? style.red('Error:') : style.yellow('Warning:')
    const place = field === undefined || field === '' ? '' : ` (${field})`
    lines.push(
      `    ${mark} ${summary}${place}${detail === undefined ? '' : `\n      ${detail.replaceAll('\n', '\n      ')}`}`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** The symbol of an action with its colours, four columns wide. */
export function actionSymbol({ action, order }: Pick<PlanChange, 'action' | 'order'>, style: Style): string {
  const { red, green, yellow, cyan } = style
  switch (action) {
    case 'create':
      return `  ${green('+')} `
    case 'update':
      return `  ${yellow('~')} `
    case 'delete':
      return `  ${red('-')} `
    case 'replace':
      return order === 'create-first'
        ? `${green('+')}/${red('-')} `
        : `${order === 'forget-first' ? red('.') : red('-')}/${green('+')} `
    case 'read':
      return ` ${cyan('<=')} `
    case 'forget':
      return `  ${red('.')} `
    case 'import':
      return '    '
    case 'blocked':
      return `  ${red('!')} `
    case 'deferred':
      return `  ${cyan('…')} `
    default:
      return action satisfies never
  }
}

function headline(change: PlanChange, style: Style): string {
  const { address, deposed } = change
  const which = deposed === undefined ? '' : ` (deposed object ${deposed})`
  return `${style.bold(`  # ${address}`)}${which} ${fate(change, style)}`
}

function fate({ action, reason, movedFrom, importing, address, outcome }: PlanChange, style: Style): string {
  const { bold, red } = style
  switch (action) {
    case 'create':
      return 'will be created'
    case 'update':
      return 'will be updated in-place'
    case 'delete':
      return `will be ${bold(red('destroyed'))}`
    case 'read':
      return outcome === undefined ? 'will be read during apply' : 'was read while planning'
    case 'forget':
      return 'will no longer be managed by Hykube, but will not be destroyed'
    case 'import':
      return movedFrom === undefined || importing !== undefined ? 'will be imported' : `has moved to ${address}`
    case 'blocked':
      return `is ${bold(red('blocked'))}`
    case 'deferred':
      return 'was deferred'
    case 'replace':
      if (reason === 'replace_because_tainted') return `is tainted, so it must be ${bold(red('replaced'))}`
      if (reason === 'replace_by_request') return `will be ${bold(red('replaced'))}, as requested`
      if (reason === 'replace_by_triggers')
        return `will be ${bold(red('replaced'))} due to changes in replace_triggered_by`
      return `must be ${bold(red('replaced'))}`
    default:
      return action satisfies never
  }
}

function explanations({ address, action, reason, message, movedFrom, importing, deposed }: PlanChange): string[] {
  const because = message ?? reasons[reason ?? '']?.(address)
  const told =
    because === undefined ? [] : because.split('\n').map((text) => (/^\(.*\)$/.test(text) ? text : `(${text})`))
  return [
    ...(movedFrom === undefined ? [] : [`(moved from ${movedFrom})`]),
    ...(importing === undefined ? [] : [`(imported from ${JSON.stringify(importing.id ?? importing.identity)})`]),
    ...(deposed === undefined ? [] : ['(left over from a partially-failed replacement of this instance)']),
    ...(action === 'replace' && message === undefined ? [] : told),
  ]
}

const reasons: Readonly<Record<string, (address: string) => string>> = {
  delete_because_no_resource_config: (address) => `because ${objectOf(address)} was deleted`,
  delete_because_wrong_repetition: () => 'because its object no longer uses count or for_each in this way',
  delete_because_count_index: () => 'because its index is out of the range of count',
  delete_because_each_key: () => 'because its key is no longer in for_each',
  delete_because_no_move_target: (address) => `because ${address} was moved to an object that does not exist`,
  read_because_config_unknown: () => 'config refers to values not yet known',
  read_because_dependency_pending: () => 'depends on a resource with changes pending',
}

// The address of the object of an instance: without the index or key.
function objectOf(address: string): string {
  return address.replace(/(\.[\w-]+|\["[^"]*"\])\[(\d+|"[^"]*")\]$/, '$1')
}

function body(change: PlanChange, style: Style): string {
  const { type, name, mode = 'managed' } = change
  const head = `${mode === 'data' ? 'data' : 'resource'} ${JSON.stringify(type)} ${JSON.stringify(name)}`
  const writing = { style, indent: 0, quiet: false, whole: change.action === 'import' }
  return `${actionSymbol(change, style)}${head} ${writeBlock(compareResource(change.change ?? {}), writing)}`
}
