import type { Schema } from '@hykube/tfplugin/schema'
import { isObject, isUnknown, type Value } from '@hykube/tfplugin/value'
import type { InstanceState } from '../model/index.ts'
import { type PlannedChange, type PlannedInstance, sameValues, sensitiveTree, treeWithin } from '../terraform/index.ts'

/** The provider's plan for one state with a candidate configuration. */
export interface CandidateAnswer {
  readonly prior: InstanceState
  readonly planned: PlannedInstance
}

/** Names the attributes and blocks at the top that the plan would change, or that would no longer be sensitive. */
export function changedNames({ block }: Schema, prior: InstanceState, planned: PlannedChange): string[] {
  const names = [...block.attributes, ...block.blocks].map(({ name }) => name)
  const changed = names.filter((name) => !sameValues(partOf(prior.value, name), partOf(planned.after, name)))
  if (changed.length > 0 || planned.action === 'noop') return changed
  return [...new Set(prior.sensitivePaths.flatMap(([first]) => (first?.kind === 'attribute' ? [first.name] : [])))]
}

/** Says what the plan would change, or why there is none: a text for each attribute. Sensitive values are not shown. */
export function remainingChanges(schema: Schema, { prior, planned }: CandidateAnswer): string[] {
  if (planned.kind === 'planned') {
    const tree = sensitiveTree(schema, prior.value, [...prior.sensitivePaths, ...planned.afterSensitive])
    return changedNames(schema, prior, planned).map((name) => {
      const values = [prior.value, planned.after].map((value) => shown(partOf(value, name)))
      return `a plan would change ${name}: ${treeWithin(tree, name) === undefined ? values.join(' → ') : '(sensitive value)'}`
    })
  }
  if (planned.kind === 'deferred') return [`the provider can't plan the generated spec yet: ${planned.reason}`]
  const errors = planned.diagnostics.filter(({ severity }) => severity === 'error')
  return errors.map(({ summary, detail, path }) => {
    const parts = [path, summary, detail].filter((part) => part !== undefined && part !== '')
    return `the provider refuses the generated spec: ${parts.join(': ')}`
  })
}

function partOf(value: Value, name: string): Value {
  return isObject(value) ? (value[name] ?? null) : null
}

function shown(value: Value): string {
  if (isUnknown(value)) return '(known after apply)'
  const text = JSON.stringify(value, (_, part: unknown) => (isUnknown(part as Value) ? '(known after apply)' : part))
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

// Characters of a value in a Warning.
const longest = 100
