import { aggregate } from '../go-format.ts'
import { type UserInfo, wellKnown } from '../user-info.ts'
import type { Attributes } from './attributes.ts'
import type { Authorizer, Decision, EffectiveRules } from './authorizer.ts'
import { userKeys } from './binding.ts'
import type { Access, RbacIndex } from './rbac-index.ts'

/** Kubernetes' role-based access control over an index; `system:masters` may do everything. */
export function createRbacAuthorizer(index: RbacIndex): Authorizer {
  const keyOf = createKeyOf()
  return {
    authorize(attributes) {
      const { user, cluster, namespace } = attributes
      if (user.groups.includes(wellKnown.masters)) return allowed
      const key = keyOf(user)
      const wide = index.clusterAccess(cluster, user, key)
      const narrow = namespace === '' ? undefined : index.namespaceAccess(cluster, namespace, user, key)
      return grantOf(wide, attributes) ?? (narrow && grantOf(narrow, attributes)) ?? refusal(wide, narrow)
    },
    rulesFor(user, cluster, namespace) {
      const key = keyOf(user)
      const wide = index.clusterAccess(cluster, user, key)
      const narrow = namespace === '' ? undefined : index.namespaceAccess(cluster, namespace, user, key)
      return effectiveRules(narrow === undefined ? [wide] : [wide, narrow])
    },
    namespacesOf: (user, cluster) => index.namespacesOf(cluster, user),
    changedAt: (cluster) => index.changedAt(cluster),
    onChange: (cluster, listener) => index.onChange(cluster, listener),
  }
}

const allowed: Decision = { allowed: true, reason: '' }
const refused: Decision = { allowed: false, reason: '' }

// Authenticators return the same object for the same user, so keys are cached by identity.
function createKeyOf(): (user: UserInfo) => string {
  const keys = new WeakMap<UserInfo, string>()
  return (user) => {
    const known = keys.get(user)
    if (known !== undefined) return known
    // A JSON list, because names may contain any separator.
    const key = JSON.stringify(userKeys(user))
    keys.set(user, key)
    return key
  }
}

function grantOf({ grants }: Access, attributes: Attributes): Decision | undefined {
  for (const { role, decision } of grants) if (role.allows(attributes)) return decision
  return undefined
}

function refusal(wide: Access, narrow: Access | undefined): Decision {
  const problems = narrow === undefined ? wide.problems : [...wide.problems, ...narrow.problems]
  return problems.length === 0 ? refused : { allowed: false, reason: `RBAC: ${aggregate(problems)}` }
}

function effectiveRules(accesses: readonly Access[]): EffectiveRules {
  return {
    rules: accesses.flatMap(({ grants }) => grants.flatMap(({ role }) => role.rules)),
    problems: accesses.flatMap(({ problems }) => problems),
  }
}
