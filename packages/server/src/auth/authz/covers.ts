import { quoteList } from '../go-format.ts'
import type { PolicyRule } from './policy-rule.ts'

/**
 * The part of the wanted rules that the held ones don't give, broken down to one verb on one resource (and name) or path
 * each; empty when everything is covered. A single held rule must cover each of them, which at that size is enough.
 */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((small) => !held.some((rule) => covers(rule, small)))
}

/** Rules with verbs on the same single resource and name made one, for reading. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs && rule])
    const other = merged.get(key)
    merged.set(key, other === undefined ? rule : { ...other, verbs: [...other.verbs, ...rule.verbs] })
  }
  return [...merged.values()]
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`, as refusals list rules. */
export function ruleToText(rule: PolicyRule): string {
  const parts: readonly [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  const given = parts.filter(([, values]) => values !== undefined && values.length > 0)
  return `{${given.map(([name, values]) => `${name}:${quoteList(values!)}`).join(', ')}}`
}

function breakDown(rule: PolicyRule): PolicyRule[] {
  return [...resourceParts(rule), ...pathParts(rule)]
}

function* resourceParts({
  apiGroups = [],
  resources = [],
  verbs,
  resourceNames = [],
}: PolicyRule): Iterable<PolicyRule> {
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if (resourceNames.length === 0) yield part
        for (const name of resourceNames) yield { ...part, resourceNames: [name] }
      }
}

function* pathParts({ nonResourceURLs = [], verbs }: PolicyRule): Iterable<PolicyRule> {
  for (const url of nonResourceURLs) for (const verb of verbs) yield { verbs: [verb], nonResourceURLs: [url] }
}

function covers(held: PolicyRule, small: PolicyRule): boolean {
  return (
    hasAll(held.verbs, small.verbs) &&
    hasAll(held.apiGroups, small.apiGroups) &&
    (small.resources ?? []).every((resource) => coversResource(held.resources ?? [], resource)) &&
    (small.nonResourceURLs ?? []).every((url) => (held.nonResourceURLs ?? []).some((own) => coversPath(own, url))) &&
    coversNames(held.resourceNames ?? [], small.resourceNames ?? [])
  )
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes('*') || wanted.every((value) => held.includes(value))
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true
  const slash = resource.indexOf('/')
  return slash !== -1 && held.includes(`*${resource.slice(slash)}`)
}

function coversPath(held: string, url: string): boolean {
  return held === url || (held.endsWith('*') && url.startsWith(held.replace(/\*+$/, '')))
}

// No names means all of them, which only no names covers.
function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  return held.length === 0 || (wanted.length > 0 && wanted.every((name) => held.includes(name)))
}
