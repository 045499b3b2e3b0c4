import type { PlanSpec } from '@hykube/machinery/plan-api'
import { labelSelectorFromObject, labelSelectorToText } from '@hykube/machinery/selector'
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
  const labels = labelSelectorToText(labelSelectorFromObject(selector))
  return [
    ...(allNamespaces === true ? [' -A'] : []),
    ...(labels === '' ? [] : [` -l ${quoted(labels)}`]),
    ...kinds.map(flag('--kind')),
    ...targets.map(flag('--target')),
    ...excludes.map(flag('--exclude')),
  ].join('')
}

// Quoted for a POSIX shell.
function quoted(text: string): string {
  return /^[\w.=/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
