import { dns1035LabelProblems, invalidValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import type { DefinitionNames } from '../definition.ts'

/** Checks the names requested by a definition. */
export function validateNames(names: Partial<DefinitionNames>, path: string): StatusCause[] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names
  const causes: StatusCause[] = []
  for (const [field, value] of Object.entries({ plural, singular, kind, listKind })) {
    if (value === '') causes.push(requiredValue(`${path}.${field}`))
  }
  causes.push(...label(`${path}.plural`, plural), ...label(`${path}.singular`, singular))
  causes.push(...mixedCase(`${path}.kind`, kind), ...mixedCase(`${path}.listKind`, listKind))
  for (const [index, name] of shortNames.entries()) causes.push(...label(`${path}.shortNames[${index}]`, name, true))
  if (kind !== '' && kind === listKind) {
    causes.push(invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same'))
  }
  for (const [index, name] of categories.entries()) causes.push(...label(`${path}.categories[${index}]`, name, true))
  return causes
}

function label(field: string, value: string, alsoEmpty = false): StatusCause[] {
  const problems = value === '' && !alsoEmpty ? [] : dns1035LabelProblems(value)
  return problems.length === 0 ? [] : [invalidValue(field, value, problems.join(','))]
}

function mixedCase(field: string, value: string): StatusCause[] {
  const problems = value === '' ? [] : dns1035LabelProblems(value.toLowerCase())
  if (problems.length === 0) return []
  return [invalidValue(field, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}
