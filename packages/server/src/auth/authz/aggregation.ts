import { isDeepStrictEqual } from 'node:util'
import { listOf, objectOf, textOf, type Untyped } from '../untyped.ts'
import { selectsLabels } from './label-selector.ts'
import { type PolicyRule, rulesOf } from './policy-rule.ts'

/**
 * The rules that an aggregated ClusterRole must have: those of every other role that one of its selectors chooses, each
 * once, selector by selector and by name. Undefined when the role is not aggregated or has exactly these already.
 */
export function aggregatedRules(role: Untyped, clusterRoles: Iterable<Untyped>): readonly PolicyRule[] | undefined {
  if (role.aggregationRule === undefined || role.aggregationRule === null) return undefined
  const others = [...clusterRoles].filter((other) => nameOf(other) !== nameOf(role)).sort(byName)
  const rules: PolicyRule[] = []
  for (const selector of listOf(objectOf(role.aggregationRule).clusterRoleSelectors))
    for (const other of others)
      if (selectsLabels(selector, labelsOf(other)))
        for (const rule of rulesOf(other)) if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule)
  return isDeepStrictEqual(rules, rulesOf(role)) ? undefined : rules
}

function byName(a: Untyped, b: Untyped): number {
  return Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b)))
}

function nameOf(object: Untyped): string {
  return textOf(objectOf(object.metadata).name)
}

function labelsOf(object: Untyped): Untyped {
  return objectOf(objectOf(object.metadata).labels)
}
