import type { Attributes } from './attributes.ts'
import type { PolicyRule } from './policy-rule.ts'

/** Rules of a role, indexed by resource. */
export class CompiledRole {
  readonly rules: readonly PolicyRule[]
  readonly #byResource = new Map<string, ResourceRule[]>()
  readonly #pathRules: PathRule[] = []

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules
    for (const rule of rules) this.#add(rule)
  }

  /** True when one of the rules allows the request. */
  allows(attributes: Attributes): boolean {
    if (!attributes.isResourceRequest) return this.#allowsPath(attributes)
    const { resource, subresource } = attributes
    if (this.#matches('*', attributes)) return true
    if (subresource === '') return this.#matches(resource, attributes)
    return this.#matches(`${resource}/${subresource}`, attributes) || this.#matches(`*/${subresource}`, attributes)
  }

  #add(rule: PolicyRule): void {
    const compiled = {
      verbs: matcherOf(rule.verbs),
      groups: matcherOf(rule.apiGroups ?? []),
      // No names means any name; `*` has no special meaning here.
      names: rule.resourceNames === undefined ? undefined : new Set(rule.resourceNames),
    }
    for (const resource of rule.resources ?? []) {
      const others = this.#byResource.get(resource)
      if (others === undefined) this.#byResource.set(resource, [compiled])
      else others.push(compiled)
    }
    const urls = rule.nonResourceURLs ?? []
    if (urls.length > 0) this.#pathRules.push({ verbs: compiled.verbs, ...pathsOf(urls) })
  }

  #matches(resource: string, { verb, apiGroup, name }: Attributes): boolean {
    const rules = this.#byResource.get(resource)
    if (rules === undefined) return false
    for (const rule of rules) {
      if (has(rule.verbs, verb) && has(rule.groups, apiGroup) && has(rule.names, name)) return true
    }
    return false
  }

  #allowsPath({ verb, path }: Attributes): boolean {
    return this.#pathRules.some(
      (rule) =>
        has(rule.verbs, verb) && (rule.exact.has(path) || rule.prefixes.some((prefix) => path.startsWith(prefix))),
    )
  }
}

/** Set of accepted values; undefined accepts any. */
type Matcher = ReadonlySet<string> | undefined

interface ResourceRule {
  readonly verbs: Matcher
  readonly groups: Matcher
  readonly names: Matcher
}

interface PathRule {
  readonly verbs: Matcher
  readonly exact: ReadonlySet<string>
  readonly prefixes: readonly string[]
}

function matcherOf(values: readonly string[]): Matcher {
  return values.includes('*') ? undefined : new Set(values)
}

function pathsOf(urls: readonly string[]): Pick<PathRule, 'exact' | 'prefixes'> {
  const prefixes = urls.filter((url) => url.endsWith('*')).map((url) => url.replace(/\*+$/, ''))
  return { exact: new Set(urls), prefixes }
}

function has(matcher: Matcher, value: string): boolean {
  return matcher === undefined || matcher.has(value)
}
