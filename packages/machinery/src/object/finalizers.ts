import type { StatusCause } from '../status/index.ts'
import { forbiddenValue, invalidValue } from './field-error.ts'
import { labelKeyProblems } from './labels.ts'

/** Set on deletion with propagationPolicy Orphan: the garbage collector detaches the dependents and removes it. */
export const orphanFinalizer = 'orphan'

/** Set on deletion with propagationPolicy Foreground: the object stays until its blocking dependents are deleted. */
export const foregroundFinalizer = 'foregroundDeletion'

/** Returns the list with the finalizer added, or the same list when it is already present. */
export function withFinalizer(finalizers: readonly string[] | null | undefined, finalizer: string): readonly string[] {
  if (finalizers?.includes(finalizer)) return finalizers
  return [...(finalizers ?? []), finalizer]
}

/** Returns the list without the finalizer, or the same list when it is absent. */
export function withoutFinalizer(
  finalizers: readonly string[] | null | undefined,
  finalizer: string,
): readonly string[] {
  if (finalizers === null || finalizers === undefined) return []
  return finalizers.includes(finalizer) ? finalizers.filter((each) => each !== finalizer) : finalizers
}

/** Checks that finalizers are qualified names, and that orphan and foregroundDeletion are not combined. */
export function validateFinalizers(finalizers: readonly string[], field: string): StatusCause[] {
  const causes = finalizers.flatMap((finalizer) =>
    labelKeyProblems(finalizer).map((problem) => invalidValue(field, finalizer, problem)),
  )
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`
    causes.push(invalidValue(field, finalizers, detail))
  }
  return causes
}

/**
 * Checks, for kinds that require it, that each finalizer has a domain or is a standard one. Finalizers that the object
 * already had are accepted, so that old objects can still be updated.
 */
export function validateQualifiedFinalizers(
  finalizers: readonly string[],
  before: readonly string[],
  field: string,
): StatusCause[] {
  const problem = 'name is neither a standard finalizer name nor is it fully qualified'
  return finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || standard.has(finalizer) || before.includes(finalizer)
      ? []
      : [invalidValue(`${field}[${index}]`, finalizer, problem)],
  )
}

const standard: ReadonlySet<string> = new Set(['kubernetes', orphanFinalizer, foregroundFinalizer])

/** Rejects finalizers that are added to an object which is being deleted. */
export function validateNoNewFinalizers(
  now: readonly string[],
  before: readonly string[],
  field: string,
): StatusCause[] {
  const added = [...new Set(now)].filter((finalizer) => !before.includes(finalizer)).sort()
  if (added.length === 0) return []
  const list = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`
  return [forbiddenValue(field, detail)]
}
