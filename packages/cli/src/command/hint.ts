import type { Connection } from './host.ts'
import type { Plan, PlanSpec } from './plan-api.ts'

/** The flag for a namespace in a suggested command: nothing where the kubeconfig means that namespace anyway. */
export function inNamespace({ ownNamespace }: Pick<Connection, 'ownNamespace'>, namespace: string | undefined): string {
  return namespace === undefined || namespace === ownNamespace ? '' : ` -n ${namespace}`
}

/** A command that plans what a plan has left undone, with the same mode and the same selection. */
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

// As a shell takes it.
function quoted(text: string): string {
  return /^[\w.=/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
