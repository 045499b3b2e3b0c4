import {
  type LabelSelector,
  type Labels,
  labelSelectorFromObject,
  selectNothing,
  selectsLabels,
} from '@hykube/machinery/selector'
import { isObject, listOf, objectOf, sameJson, textOf } from '../untyped.ts'
import { type PolicyRule, rulesOf } from './policy-rule.ts'

/**
 * Returns the rules of an aggregated ClusterRole: the distinct rules of all roles that its selectors match, ordered by
 * selector and name. Undefined when the role is not aggregated or already has these rules.
 */
export function aggregatedRules(role: object, clusterRoles: Iterable<object>): readonly PolicyRule[] | undefined {
  const { aggregationRule } = objectOf(role)
  if (!isObject(aggregationRule)) return undefined
  const others = [...clusterRoles].filter((other) => nameOf(other) !== nameOf(role)).sort(byName)
  // rulesOf writes the fields of every rule in one order, so equal rules have equal texts.
  const rules = new Map<string, PolicyRule>()
  for (const selector of listOf(aggregationRule.clusterRoleSelectors).map(selectorOf))
    for (const other of others)
      if (selectsLabels(selector, labelsOf(other)))
        for (const rule of rulesOf(other)) rules.set(JSON.stringify(rule), rule)
  const gathered = [...rules.values()]
  return sameJson(gathered, rulesOf(role)) ? undefined : gathered
}

// An invalid selector, such as one with an unknown operator, selects no role.
function selectorOf(selector: unknown): LabelSelector {
  try {
    return labelSelectorFromObject(objectOf(selector))
  } catch {
    return selectNothing
  }
}

function byName(a: object, b: object): number {
  return Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b)))
}

function nameOf(object: object): string {
  return textOf(objectOf(objectOf(object).metadata).name)
}

function labelsOf(object: object): Labels {
  return objectOf(objectOf(objectOf(object).metadata).labels) as Labels
}
