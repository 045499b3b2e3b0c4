/** What happens to one object. A replacement says what becomes of the old object and when. */
export type Action = 'noop' | 'create' | 'read' | 'update' | 'delete' | 'forget' | Replacement

/** A new object in the place of an old one, which is deleted before, deleted after, or only forgotten. */
export type Replacement = 'delete-then-create' | 'create-then-delete' | 'forget-then-create'

/** Why an action was chosen, in Terraform's words, which policies know. */
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

/** Whether a new object takes the place of an old one. */
export function isReplacement(action: Action): action is Replacement {
  return action === 'delete-then-create' || action === 'create-then-delete' || action === 'forget-then-create'
}

/** Whether an object is destroyed in the outside world. */
export function destroysObject(action: Action): boolean {
  return action === 'delete' || action === 'delete-then-create' || action === 'create-then-delete'
}

/** Whether a change of one object replaces those that name it in replace_triggered_by. */
export function triggersReplacement(action: Action): boolean {
  return action === 'update' || isReplacement(action)
}

/** An action as Terraform's plan JSON lists it. */
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
 * Whether an action that was found when everything was known is still the one that was approved. An update may turn out
 * to be none, and of a replacement only the creation is planned again.
 */
export function checkPlannedAction(approved: Action, final: Action): boolean {
  return (
    approved === final || (approved === 'update' && final === 'noop') || (isReplacement(approved) && final === 'create')
  )
}
