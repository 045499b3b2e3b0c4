import { aggregatedRules } from '../authz/aggregation.ts'
import { bindingRows, roleRows } from './bootstrap-policy.generated.ts'
import { bindingFromRow, type PolicyObject, roleFromRow } from './policy-rows.ts'

/**
 * The roles and bindings every logical cluster begins with, in the order to write them: roles before what binds them. Some
 * are in the namespaces `kube-system` and `kube-public`, which must be there first. Aggregated roles have their rules
 * already, so that they work before anything has gathered them.
 */
export function bootstrapPolicy(): readonly PolicyObject[] {
  return [...aggregated(roleRows.map(roleFromRow)), ...bindingRows.map(bindingFromRow)]
}

// view is a part of edit and edit of admin: gather until nothing is new.
function aggregated(roles: readonly PolicyObject[]): readonly PolicyObject[] {
  const next = roles.map((role) => {
    const rules = aggregatedRules(role, roles)
    return rules === undefined ? role : { ...role, rules }
  })
  return next.every((role, index) => role === roles[index]) ? roles : aggregated(next)
}
