import { quoteList } from '../go-format.ts'
import type { PolicyRule } from './policy-rule.ts'

/** The permissions that a user lacks for a set of rules. */
export interface Uncovered {
  /** One verb on one resource (and name) or path each; of very many only the first. Empty when everything is covered. */
  readonly missing: PolicyRule[]
  /** False when the comparison was given up because it takes too long; then nothing is known about the rest. */
  readonly isComplete: boolean
}

/**
 * Compares wanted rules with held ones. Each verb on each resource (and name) or path must be covered by a single held
 * rule. A few large rules stand for billions of such combinations, so the work is bounded; `most` bounds what is listed.
 */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[], most = mostMissing): Uncovered {
  const rules = new HeldRules(held)
  const missing: PolicyRule[] = []
  for (const rule of wanted) {
    if (rules.comparisons > mostComparisons) return { missing, isComplete: false }
    if (rules.coverWhole(rule)) continue
    for (const part of breakDown(rule)) {
      if (!rules.cover(part)) missing.push(part)
      if (missing.length === most) return { missing, isComplete: true }
      if (rules.comparisons > mostComparisons) return { missing, isComplete: false }
    }
  }
  return { missing, isComplete: true }
}

/** A refusal lists no more than these. */
const mostMissing = 1000
/** About 100 ms. */
const mostComparisons = 1_000_000

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

function* breakDown(rule: PolicyRule): Iterable<PolicyRule> {
  yield* resourceParts(rule)
  yield* pathParts(rule)
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

/** Held rules, by the resources that they name. */
class HeldRules {
  /** A measure of the work so far. */
  comparisons = 0
  readonly #byResource = new Map<string, HeldRule[]>()
  readonly #paths: HeldRule[] = []

  constructor(rules: readonly PolicyRule[]) {
    for (const rule of rules) {
      const held = heldRule(rule)
      for (const resource of held.resources) {
        const others = this.#byResource.get(resource)
        if (others === undefined) this.#byResource.set(resource, [held])
        else others.push(held)
      }
      if (held.paths.length > 0) this.#paths.push(held)
    }
  }

  /** Returns true when a single held rule covers all combinations of a rule. */
  coverWhole(rule: PolicyRule): boolean {
    const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
    if (nonResourceURLs.length > 0 || resources.length === 0) return false
    const candidates = this.#candidates(resources[0]!)
    this.comparisons += candidates.length * (resources.length + verbs.length + apiGroups.length + resourceNames.length)
    return candidates.some(
      (held) =>
        resources.every((resource) => coversResource(held, resource)) &&
        hasAll(held.verbs, verbs) &&
        hasAll(held.apiGroups, apiGroups) &&
        coversNames(held, resourceNames),
    )
  }

  /** Returns true when a held rule covers one verb on one resource or path. */
  cover({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): boolean {
    const url = nonResourceURLs[0]
    const candidates = url === undefined ? this.#candidates(resources[0]!) : this.#pathCandidates()
    return candidates.some(
      (held) =>
        hasAll(held.verbs, verbs) &&
        (url === undefined
          ? hasAll(held.apiGroups, apiGroups) && coversNames(held, resourceNames)
          : held.paths.some((own) => coversPath(own, url))),
    )
  }

  #candidates(resource: string): readonly HeldRule[] {
    const slash = resource.indexOf('/')
    const found = [
      this.#byResource.get(resource),
      this.#byResource.get('*'),
      ...(slash === -1 ? [] : [this.#byResource.get(`*${resource.slice(slash)}`)]),
    ].flatMap((rules) => rules ?? [])
    this.comparisons += found.length + 1
    return found
  }

  #pathCandidates(): readonly HeldRule[] {
    for (const { paths } of this.#paths) this.comparisons += paths.length
    this.comparisons++
    return this.#paths
  }
}

interface HeldRule {
  readonly verbs: ReadonlySet<string>
  readonly apiGroups: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly paths: readonly string[]
}

function heldRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] }: PolicyRule): HeldRule {
  return {
    verbs: new Set(verbs),
    apiGroups: new Set(apiGroups),
    resources: new Set(resources),
    names: new Set(resourceNames),
    paths: nonResourceURLs,
  }
}

function hasAll(held: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return held.has('*') || wanted.every((value) => held.has(value))
}

function coversResource({ resources }: HeldRule, resource: string): boolean {
  if (resources.has('*') || resources.has(resource)) return true
  const slash = resource.indexOf('/')
  return slash !== -1 && resources.has(`*${resource.slice(slash)}`)
}

function coversPath(held: string, url: string): boolean {
  return held === url || (held.endsWith('*') && url.startsWith(held.replace(/\*+$/, '')))
}

// No names means all of them, which only no names covers.
function coversNames({ names }: HeldRule, wanted: readonly string[]): boolean {
  return names.size === 0 || (wanted.length > 0 && wanted.every((name) => names.has(name)))
}
