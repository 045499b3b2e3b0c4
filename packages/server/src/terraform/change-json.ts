import type { ChangedSensitive } from '@hykube/machinery/plan-api'
import { impliedType, type Schema } from '@hykube/tfplugin/schema'
import { isUnknown, isWhollyKnown, type Path, type Type, type Value } from '@hykube/tfplugin/value'
import { actionInPlanJson } from './action.ts'
import type { PlannedChange } from './calls/planned-instance.ts'
import { type Json, plainLeaf, valueInForm } from './json-form.ts'
import { changedSensitive } from './secrets/changed-sensitive.ts'
import { type SensitiveTree, sensitiveTree } from './secrets/sensitivity.ts'

/** A change in the format of Terraform's plan JSON (format 1.2), except that sensitive values are null. */
export interface ChangeJson {
  readonly actions: readonly string[]
  readonly before: Json
  /** Unknown values are left out. */
  readonly after: Json
  /** True at unknown values; known ones are left out. */
  readonly after_unknown: Json
  /** True at sensitive values; others are left out. */
  readonly before_sensitive: Json
  readonly after_sensitive: Json
  readonly replace_paths?: readonly (readonly (string | number)[])[]
  /** The paths of sensitive values that change. Terraform's plan JSON has no such field. */
  readonly changed_sensitive?: readonly ChangedSensitive[]
}

/** Converts the change of an instance for users and policies. */
export function changeToJson(schema: Schema, change: PlannedChange): ChangeJson {
  const { before, after, beforeSensitive, afterSensitive, requiredReplace } = change
  const type = impliedType(schema.block)
  const beforeTree = sensitiveTree(schema, before, beforeSensitive)
  const afterTree = sensitiveTree(schema, after, afterSensitive)
  const changed = changedSensitive(before, beforeTree, after, afterTree)
  return {
    actions: actionInPlanJson(change.action),
    before: redactedJson(before, type, beforeTree),
    after: redactedJson(after, type, afterTree),
    after_unknown: isWhollyKnown(after) ? {} : unknownMask(after, type),
    before_sensitive: sensitiveMask(before, type, beforeTree),
    after_sensitive: sensitiveMask(after, type, afterTree),
    ...(requiredReplace.length > 0 && { replace_paths: requiredReplace.map(pathToJson) }),
    ...(changed.length > 0 && { changed_sensitive: changed }),
  }
}

function redactedJson(value: Value, type: Type, tree: SensitiveTree | undefined): Json {
  return valueInForm(value, type, tree, { sensitive: redacted, unknown: () => undefined, leaf: plainLeaf }) ?? null
}

function redacted(value: Value): Json | undefined {
  return isUnknown(value) ? undefined : null
}

function unknownMask(value: Value, type: Type): Json {
  return mask(value, type, undefined, { sensitive: () => true, unknown: () => true, leaf: () => undefined })
}

function sensitiveMask(value: Value, type: Type, tree: SensitiveTree | undefined): Json {
  return value === null
    ? false
    : mask(value, type, tree, { sensitive: () => true, unknown: emptyOf, leaf: () => undefined })
}

// An unknown collection has no sensitive parts yet.
function emptyOf({ kind }: Type): Json | undefined {
  if (kind === 'object' || kind === 'map') return {}
  return kind === 'list' || kind === 'set' || kind === 'tuple' ? [] : undefined
}

// In lists, omitted elements become false so that the others keep their index, as in Terraform.
function mask(
  value: Value,
  type: Type,
  tree: SensitiveTree | undefined,
  form: Parameters<typeof valueInForm>[3],
): Json {
  return withFalse(valueInForm(value, type, tree, form) ?? false)
}

function withFalse(json: Json): Json {
  if (Array.isArray(json)) return json.map((part: Json) => withFalse(part ?? false))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, part]) => [name, withFalse(part)]))
}

function pathToJson(path: Path): (string | number)[] {
  return path.map((step) => (step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : step.index))
}
