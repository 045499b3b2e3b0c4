import { aggregatedRules } from '../authz/aggregation.ts'
import { bindingRows, roleRows } from './bootstrap-policy.generated.ts'
import { bindingFromRow, type PolicyObject, roleFromRow } from './policy-rows.ts'

/**
 * Initial roles and bindings of every logical cluster, in creation order: roles before their bindings. Some are in the
 * namespaces `kube-system` and `kube-public`, which must exist. Aggregated roles have their rules already, so that they
 * work before the aggregation controller has run.
 */
export function bootstrapPolicy(): readonly PolicyObject[] {
  return [...aggregated(roleRows.map(roleFromRow)), ...bindingRows.map(bindingFromRow)]
}

// view is included in edit and edit in admin: repeats until nothing changes.
function aggregated(roles: readonly PolicyObject[]): readonly PolicyObject[] {
  const next = roles.map((role) => {
    const rules = aggregatedRules(role, roles)
    return rules === undefined ? role : { ...role, rules }
  })
  return next.every((role, index) => role === roles[index]) ? roles : aggregated(next)
}
