import {
  impliedType,
  isUnknown,
  isWhollyKnown,
  type Path,
  type Schema,
  type Type,
  type Value,
} from '@hykube/tfplugin/value'
import { actionInPlanJson } from './action.ts'
import { type ChangedSensitive, changedSensitive } from './changed-sensitive.ts'
import { type Json, plainLeaf, valueInForm } from './json-form.ts'
import type { PlannedChange } from './planned-instance.ts'
import { type SensitiveTree, sensitiveTree } from './sensitivity.ts'

/** A change as Terraform's plan JSON (format 1.2) has it, except that sensitive values are null. */
export interface ChangeJson {
  readonly actions: readonly string[]
  readonly before: Json
  /** Without what is unknown. */
  readonly after: Json
  /** True where something is unknown; what is known is left out. */
  readonly after_unknown: Json
  /** True where something is sensitive; what is not is left out. */
  readonly before_sensitive: Json
  readonly after_sensitive: Json
  readonly replace_paths?: readonly (readonly (string | number)[])[]
  /** Sensitive values that differ, without the values. Terraform's plan JSON has no such field. */
  readonly changed_sensitive?: readonly ChangedSensitive[]
}

/** The change of an instance in the form that policies and people see. */
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

// Nothing is sensitive in what is not there yet.
function emptyOf({ kind }: Type): Json | undefined {
  if (kind === 'object' || kind === 'map') return {}
  return kind === 'list' || kind === 'set' || kind === 'tuple' ? [] : undefined
}

// Among the elements of a list what is left out elsewhere is false.
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
