import { SourceError } from './source-error.ts'
import { compareVersions, isPrerelease, type Version, versionFromText, versionToText } from './version.ts'

/** Conditions that a version must satisfy, all of them. Empty: every release satisfies it. */
export type VersionConstraint = readonly VersionCondition[]

export interface VersionCondition {
  readonly operator: ConstraintOperator
  /** Omitted numbers are 0. */
  readonly version: Version
  /** The number of given numbers. `~>` allows the last of them to increase. */
  readonly written: 1 | 2 | 3
}

export type ConstraintOperator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~>'

/** Parses Terraform's syntax: `~> 5.62`, `>= 1.0, < 2.0, != 1.5.0`. Throws SourceError. */
export function parseVersionConstraint(text: string): VersionConstraint {
  if (text.trim() === '') return []
  return text.split(',').map((condition) => parseCondition(condition.trim(), text))
}

/**
 * Returns whether a version satisfies a constraint. As in Terraform, a prerelease does so only if the constraint names it
 * exactly, with `=` or without an operator.
 */
export function allowsVersion(constraint: VersionConstraint, version: Version): boolean {
  const named = constraint.some(({ operator, version: wanted }) => operator === '=' && same(version, wanted))
  return (named || !isPrerelease(version)) && constraint.every((condition) => meets(condition, version))
}

/** The version of a constraint that consists of one exact version. */
export function exactVersion(constraint: VersionConstraint): Version | undefined {
  const [only, ...others] = constraint
  return only?.operator === '=' && others.length === 0 ? only.version : undefined
}

/** Formats a constraint in its normal form; empty for any version. */
export function constraintToText(constraint: VersionConstraint): string {
  return constraint.map(conditionToText).join(', ')
}

function parseCondition(text: string, whole: string): VersionCondition {
  const match = /^(=|!=|>=|<=|~>|>|<)?\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?([-+][0-9a-zA-Z.+-]+)?$/.exec(text)
  const [, operator = '=', major, minor, patch, rest = ''] = match ?? []
  const version = match === null ? undefined : versionFromText(`${major}.${minor ?? 0}.${patch ?? 0}${rest}`)
  if (version === undefined) throw refused(text, whole)
  const written = patch !== undefined ? 3 : minor !== undefined ? 2 : 1
  return { operator: operator as ConstraintOperator, version, written }
}

function meets({ operator, version: wanted, written }: VersionCondition, version: Version): boolean {
  const order = compareVersions(version, wanted)
  switch (operator) {
    case '=':
      return same(version, wanted)
    case '!=':
      return !same(version, wanted)
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '~>':
      return order >= 0 && version.major === wanted.major && (written < 3 || version.minor === wanted.minor)
  }
}

// Build metadata is compared only if the constraint has it.
function same(version: Version, wanted: Version): boolean {
  return compareVersions(version, wanted) === 0 && (wanted.build === '' || wanted.build === version.build)
}

function conditionToText({ operator, version, written }: VersionCondition): string {
  const { major, minor, patch } = version
  const numbers = [major, minor, patch]
  const rest = versionToText(version).slice(numbers.join('.').length)
  const short = numbers.slice(0, written).join('.') + rest
  return operator === '=' ? short : `${operator} ${short}`
}

function refused(condition: string, whole: string): SourceError {
  const hint = /^v\d/.test(condition)
    ? 'versions are written without a v'
    : /[*xX]/.test(condition)
      ? 'there are no wildcards; write ~> 1.2'
      : 'it must be written like ~> 5.62 or >= 1.0, < 2.0'
  const where = condition === whole.trim() ? '' : ` in ${JSON.stringify(whole)}`
  return new SourceError(`cannot parse the version constraint ${JSON.stringify(condition)}${where}: ${hint}`)
}
