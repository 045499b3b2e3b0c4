/** The planned action for one instance. The three replacements differ in how and when the old resource goes. */
export type Action = 'noop' | 'create' | 'read' | 'update' | 'delete' | 'forget' | Replacement

/** A replacement: the old resource is deleted first, deleted last, or only forgotten. */
export type Replacement = 'delete-then-create' | 'create-then-delete' | 'forget-then-create'

/** Terraform's action reasons, as in its plan JSON, which policies match on. */
export type ActionReason =
  | 'replace_because_cannot_update'
  | 'replace_because_tainted'
  | 'replace_by_request'
  | 'replace_by_triggers'
  | 'delete_because_no_resource_config'
  | 'delete_because_wrong_repetition'
  | 'delete_because_count_index'
  | 'delete_because_each_key'
  | 'delete_because_no_module'
  | 'delete_because_no_move_target'
  | 'read_because_config_unknown'
  | 'read_because_dependency_pending'
  | 'read_because_check_nested'

/** True when a new resource replaces an old one. */
export function isReplacement(action: Action): action is Replacement {
  return action === 'delete-then-create' || action === 'create-then-delete' || action === 'forget-then-create'
}

/** True when a real resource is destroyed. */
export function destroysObject(action: Action): boolean {
  return action === 'delete' || action === 'delete-then-create' || action === 'create-then-delete'
}

/** True when the change of a resource replaces those that name it in replace_triggered_by. */
export function triggersReplacement(action: Action): boolean {
  return action === 'update' || isReplacement(action)
}

/** Converts an action to the list of actions in Terraform's plan JSON. */
export function actionInPlanJson(action: Action): readonly string[] {
  switch (action) {
    case 'noop':
      return ['no-op']
    case 'delete-then-create':
      return ['delete', 'create']
    case 'create-then-delete':
      return ['create', 'delete']
    case 'forget-then-create':
      return ['forget', 'create']
    default:
      return [action]
  }
}

/**
 * True when the action of the final plan is covered by the approved one. An update may turn out to change nothing, and the final plan
 * of a replacement covers only its creation.
 */
export function isApprovedAction(approved: Action, final: Action): boolean {
  return (
    approved === final || (approved === 'update' && final === 'noop') || (isReplacement(approved) && final === 'create')
  )
}
