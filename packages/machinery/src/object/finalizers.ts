import type { StatusCause } from '../status/index.ts'
import { forbiddenValue, invalidValue } from './field-error.ts'
import { labelKeyProblems } from './labels.ts'

/** The finalizer of an object whose dependents are to be left behind. */
export const orphanFinalizer = 'orphan'

/** The finalizer of an object that waits for its dependents to go first. */
export const foregroundFinalizer = 'foregroundDeletion'

/** The list with a finalizer in it; the same list when it was there. */
export function withFinalizer(finalizers: readonly string[] | null | undefined, finalizer: string): readonly string[] {
  if (finalizers?.includes(finalizer)) return finalizers
  return [...(finalizers ?? []), finalizer]
}

/** The list without a finalizer; the same list when it was not there. */
export function withoutFinalizer(
  finalizers: readonly string[] | null | undefined,
  finalizer: string,
): readonly string[] {
  if (finalizers === null || finalizers === undefined) return []
  return finalizers.includes(finalizer) ? finalizers.filter((each) => each !== finalizer) : finalizers
}

/** What is wrong with finalizers at a field. */
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

/** What is wrong with finalizers of kinds that want them to name the domain of who waits, but for those that were there. */
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

/** Refuses finalizers that an object did not have when its deletion began. */
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
