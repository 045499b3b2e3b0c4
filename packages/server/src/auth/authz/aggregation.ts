import { isObject, listOf, objectOf, sameJson, textOf, type Untyped } from '../untyped.ts'
import { selectsLabels } from './label-selector.ts'
import { type PolicyRule, rulesOf } from './policy-rule.ts'

/**
 * The rules that an aggregated ClusterRole must have: those of every other role that one of its selectors chooses, each
 * once, selector by selector and by name. Undefined when the role is not aggregated or has exactly these already.
 */
export function aggregatedRules(role: object, clusterRoles: Iterable<object>): readonly PolicyRule[] | undefined {
  const { aggregationRule } = objectOf(role)
  if (!isObject(aggregationRule)) return undefined
  const others = [...clusterRoles].filter((other) => nameOf(other) !== nameOf(role)).sort(byName)
  const rules: PolicyRule[] = []
  for (const selector of listOf(aggregationRule.clusterRoleSelectors))
    for (const other of others)
      if (selectsLabels(selector, labelsOf(other)))
        for (const rule of rulesOf(other)) if (!rules.some((known) => sameJson(known, rule))) rules.push(rule)
  return sameJson(rules, rulesOf(role)) ? undefined : rules
}

function byName(a: object, b: object): number {
  return Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b)))
}

function nameOf(object: object): string {
  return textOf(objectOf(objectOf(object).metadata).name)
}

function labelsOf(object: object): Untyped {
  return objectOf(objectOf(objectOf(object).metadata).labels)
}
