import type { PlanSpec } from '@hykube/machinery/plan-api'
import type { Connection } from '../host/host.ts'
import type { Plan } from './plan-api.ts'

/** The flag `-n` for a suggested command; empty when it is the namespace of the kubeconfig. */
export function inNamespace({ ownNamespace }: Pick<Connection, 'ownNamespace'>, namespace: string | undefined): string {
  return namespace === undefined || namespace === ownNamespace ? '' : ` -n ${namespace}`
}

/** A command that makes the next plan, with the mode and the selection of this one. */
export function continuation(connection: Pick<Connection, 'ownNamespace'>, { spec = {}, metadata }: Plan): string {
  const command = spec.mode === 'Destroy' ? 'hykube destroy' : 'hykube plan'
  return `${command}${inNamespace(connection, metadata.namespace)}${selectionOf(spec)}`
}

function selectionOf({ allNamespaces, selector, kinds = [], targets = [], excludes = [] }: PlanSpec): string {
  const flag = (name: string) => (value: string) => ` ${name} ${quoted(value)}`
  const labels = selectorText(selector)
  return [
    ...(allNamespaces === true ? [' -A'] : []),
    ...(labels === '' ? [] : [` -l ${quoted(labels)}`]),
    ...kinds.map(flag('--kind')),
    ...targets.map(flag('--target')),
    ...excludes.map(flag('--exclude')),
  ].join('')
}

function selectorText({ matchLabels, matchExpressions }: NonNullable<PlanSpec['selector']> = {}): string {
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === 'Exists') return key
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${(values ?? []).join(',')})`
  })
  return [...Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`), ...expressions].join(',')
}

// Quoted for a POSIX shell.
function quoted(text: string): string {
  return /^[\w.=/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
