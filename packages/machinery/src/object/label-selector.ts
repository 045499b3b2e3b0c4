import { compareUtf8 } from '../json/index.ts'
import {
  type LabelRequirement,
  type Labels,
  meetsRequirement,
  requirementProblem,
  requirementToText,
} from './label-requirement.ts'
import { parseRequirements } from './label-selector-parser.ts'
import { SelectorError } from './selector-error.ts'

/** The set of objects whose labels meet every requirement. */
export interface LabelSelector {
  /** Sorted by key. Undefined when the selector selects nothing, whatever the labels. */
  readonly requirements: readonly LabelRequirement[] | undefined
}

/** A selector as kinds carry it (`spec.selector` and its like). */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null
  readonly matchExpressions?: readonly LabelSelectorExpression[] | null
}

/** One condition of a selector object. */
export interface LabelSelectorExpression {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[] | null
}

/** Selects every object. */
export const everyLabel: LabelSelector = { requirements: [] }

/** Selects no object. */
export const noLabel: LabelSelector = { requirements: undefined }

/** Reads a selector as kubectl and query parameters write it: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. */
export function labelSelectorFromText(text: string): LabelSelector {
  return { requirements: parseRequirements(text).sort(byKey) }
}

/** A selector in the form that is read again as the same selector. */
export function labelSelectorToText({ requirements }: LabelSelector): string {
  return requirements?.map(requirementToText).join(',') ?? ''
}

/** Reads a selector object: absent selects nothing, empty selects everything. */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === null || object === undefined) return noLabel
  const requirements: LabelRequirement[] = []
  for (const [key, value] of Object.entries(object.matchLabels ?? {})) {
    requirements.push(checked({ key, operator: '=', values: [value] }))
  }
  for (const { key, operator, values } of object.matchExpressions ?? []) {
    const known = objectOperators.get(operator)
    if (known === undefined)
      throw new SelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`)
    requirements.push(checked({ key, operator: known, values: values ?? [] }))
  }
  return { requirements: requirements.sort(byKey) }
}

/** Whether a selector selects an object with these labels. */
export function selectsLabels({ requirements }: LabelSelector, labels: Labels | null | undefined): boolean {
  return requirements?.every((requirement) => meetsRequirement(labels, requirement)) ?? false
}

/** The value that a selector demands of a label; undefined when it leaves a choice. */
export function demandedLabel({ requirements }: LabelSelector, key: string): string | undefined {
  const requirement = requirements?.find((each) => each.key === key)
  if (requirement === undefined || requirement.values.length !== 1) return undefined
  return ['=', '==', 'in'].includes(requirement.operator) ? requirement.values[0] : undefined
}

const objectOperators = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
] as const) as ReadonlyMap<string, 'in' | 'notin' | 'exists' | '!'>

function checked(requirement: LabelRequirement): LabelRequirement {
  const problem = requirementProblem(requirement)
  if (problem !== undefined) throw new SelectorError(problem)
  return requirement
}

function byKey(a: LabelRequirement, b: LabelRequirement): number {
  return compareUtf8(a.key, b.key)
}
