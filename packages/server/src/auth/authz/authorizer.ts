import type { UserInfo } from '../user-info.ts'
import type { Attributes } from './attributes.ts'
import type { PolicyRule } from './policy-rule.ts'

/** A decision with its reason; the reason of a denial is often ''. */
export interface Decision {
  readonly allowed: boolean
  readonly reason: string
}

/** All rules of a user in a namespace. */
export interface EffectiveRules {
  readonly rules: readonly PolicyRule[]
  /** Errors that made the rules incomplete. */
  readonly problems: readonly string[]
}

/** Authorizes requests. Synchronous, and called on every request. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision
  /** Rules of the user in the namespace, including those of the whole cluster; with '' only the latter. */
  rulesFor(user: UserInfo, cluster: string, namespace: string): EffectiveRules
  /** The namespaces in which the user may have more permissions than in the whole cluster, in byte order. */
  namespacesOf(user: UserInfo, cluster: string): readonly string[]
  /** The revision of the last change of permissions in a cluster; 0 where that is not known. */
  changedAt(cluster: string): number
  /** Calls a listener after each change of permissions in a cluster, until the returned function is called. */
  onChange(cluster: string, listener: () => void): () => void
}

/** Allows everything; for tests. */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ allowed: true, reason: '' }),
  rulesFor: () => ({ rules: everything, problems: [] }),
  namespacesOf: () => [],
  changedAt: () => 0,
  onChange: () => () => {},
}

/** Rules that allow everything. */
export const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]
