import { forbidden, notFound } from '@hykube/machinery/status'
import { aggregate, quote, quoteList } from '../go-format.ts'
import { listOf, objectOf, sameJson, textOf, type Untyped } from '../untyped.ts'
import { type UserInfo, wellKnown } from '../user-info.ts'
import { resourceAttributes } from './attributes.ts'
import { type Authorizer, everything } from './authorizer.ts'
import { compactRules, ruleToText, uncovered } from './covers.ts'
import { type PolicyRule, type RoleRef, rbacGroup, roleRefOf, rulesOf } from './policy-rule.ts'

/** Looks up the rules of a bound role. */
export interface RoleReader {
  /** `namespace` is the binding's, '' for a ClusterRoleBinding. Returns undefined when the role does not exist. */
  rulesOf(cluster: string, roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined
}

/** A role or binding to be stored. */
export interface RbacWrite {
  readonly user: UserInfo
  readonly cluster: string
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings'
  /** '' for cluster-scoped kinds. */
  readonly namespace: string
  /** Name in the request's path; '' for a create. */
  readonly requestName: string
  /** Object to be stored, after defaulting. */
  readonly object: Untyped
  /** Stored object; undefined for a create. */
  readonly old?: Untyped | undefined
}

/**
 * Prevents privilege escalation: throws 403 for a write that grants permissions the user does not have, and 404 for a
 * binding to a missing role. Called before every create, update and patch of the four kinds.
 */
export function checkRbacWrite(authorizer: Authorizer, roles: RoleReader, write: RbacWrite): void {
  if (write.user.groups.includes(wellKnown.masters)) return
  if (write.resource === 'roles' || write.resource === 'clusterroles') checkRole(authorizer, write)
  else checkBinding(authorizer, roles, write)
}

function checkRole(authorizer: Authorizer, write: RbacWrite): void {
  const { user, cluster, resource, namespace, requestName: name } = write
  const escalate = resourceAttributes({
    user,
    verb: 'escalate',
    cluster,
    apiGroup: rbacGroup,
    resource,
    namespace,
    name,
  })
  if (authorizer.authorize(escalate).allowed || changesOnlyOwnership(write)) return
  refuse(write, missingPermissions(authorizer, write, rulesOf(write.object)))
  // An aggregation rule can collect any permissions.
  const aggregates = hasAggregationRule(write.object) || hasAggregationRule(write.old)
  if (aggregates && missingPermissions(authorizer, write, everything) !== undefined)
    refuse(write, 'must have cluster-admin privileges to use the aggregationRule')
}

function checkBinding(authorizer: Authorizer, roles: RoleReader, write: RbacWrite): void {
  const { user, cluster, namespace } = write
  const roleRef = roleRefOf(write.object)
  if (changesOnlyOwnership(write)) return
  const resource = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles'
  const bind = { user, verb: 'bind', cluster, apiGroup: roleRef.apiGroup, resource, namespace, name: roleRef.name }
  const known = roleRef.kind === 'ClusterRole' || roleRef.kind === 'Role'
  if (known && authorizer.authorize(resourceAttributes(bind)).allowed) return
  const rules = roles.rulesOf(cluster, roleRef, namespace)
  if (rules === undefined) throw notFound({ group: rbacGroup, resource }, roleRef.name)
  refuse(write, missingPermissions(authorizer, write, rules))
}

function missingPermissions(
  authorizer: Authorizer,
  { user, cluster, namespace }: RbacWrite,
  wanted: readonly PolicyRule[],
): string | undefined {
  const held = authorizer.rulesFor(user, cluster, namespace)
  const { missing, isComplete } = uncovered(held.rules, wanted)
  if (missing.length === 0 && isComplete) return undefined
  if (missing.length === 0)
    return 'the rules are too many to compare with those of the user; write fewer or smaller ones'
  const list = [...new Set(compactRules(missing).map(ruleToText))].sort().join('\n')
  const problems = held.problems.length === 0 ? '' : `; resolution errors: [${aggregate(held.problems)}]`
  return `user ${quote(user.name)} (groups=${quoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${list}${problems}`
}

function refuse({ resource, object, requestName }: RbacWrite, why: string | undefined): void {
  if (why === undefined) return
  const name = textOf(objectOf(object.metadata).name)
  throw forbidden({ group: rbacGroup, resource }, name === '' ? requestName : name, why)
}

function hasAggregationRule(role: Untyped | undefined): boolean {
  return listOf(objectOf(role?.aggregationRule).clusterRoleSelectors).length > 0
}

// The garbage collector updates finalizers and owners of roles that it could never grant.
function changesOnlyOwnership({ object, old }: RbacWrite): boolean {
  return old !== undefined && sameJson(withoutOwnership(object), withoutOwnership(old))
}

function withoutOwnership(object: Untyped): unknown {
  const { ownerReferences, finalizers, managedFields, resourceVersion, ...metadata } = objectOf(object.metadata)
  return { ...object, metadata }
}
