import type { UserInfo } from '../user-info.ts'
import type { Attributes } from './attributes.ts'
import type { PolicyRule } from './policy-rule.ts'

/** The answer to a question, and why; the reason of a refusal is often ''. */
export interface Decision {
  readonly allowed: boolean
  readonly reason: string
}

/** All rules a user has in a namespace. */
export interface EffectiveRules {
  readonly rules: readonly PolicyRule[]
  /** What kept rules from being found, in words. */
  readonly problems: readonly string[]
}

/** Says who may do what. It is asked on every request, several times by some, and answers at once. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision
  /** What the user may do in the namespace, by rules of the whole cluster and its own; '' for those of the cluster alone. */
  rulesFor(user: UserInfo, cluster: string, namespace: string): EffectiveRules
}

/** Allows everything to everyone; for test suites. */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ allowed: true, reason: '' }),
  rulesFor: () => ({ rules: everything, problems: [] }),
}

/** The rules that allow everything. */
export const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]
