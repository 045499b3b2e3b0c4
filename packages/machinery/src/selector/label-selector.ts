import { compareUtf8 } from '../base/index.ts'
import {
  type LabelRequirement,
  type Labels,
  meetsRequirement,
  requirementProblem,
  requirementToText,
} from './label-requirement.ts'
import { parseRequirements } from './label-selector-parser.ts'
import { SelectorError } from './selector-error.ts'

/** A conjunction of requirements on labels. */
export interface LabelSelector {
  /** Sorted by key; empty selects everything. Undefined selects nothing. */
  readonly requirements: readonly LabelRequirement[] | undefined
}

/** Kubernetes' LabelSelector type, as in `spec.selector` of a Deployment. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null
  readonly matchExpressions?: readonly LabelSelectorExpression[] | null
}

/** One requirement of a LabelSelectorObject. */
export interface LabelSelectorExpression {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[] | null
}

/** Selects every object. */
export const selectEverything: LabelSelector = { requirements: [] }

/** Selects no object. */
export const selectNothing: LabelSelector = { requirements: undefined }

/** Parses a `labelSelector` query parameter: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. */
export function labelSelectorFromText(text: string): LabelSelector {
  return { requirements: parseRequirements(text).sort(byKey) }
}

/** Formats a selector so that parsing it yields the same selector; selectNothing has no text form. */
export function labelSelectorToText({ requirements }: LabelSelector): string {
  return requirements?.map(requirementToText).join(',') ?? ''
}

/** Converts a selector object: an absent one selects nothing, an empty one everything, as in Kubernetes. */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === null || object === undefined) return selectNothing
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

/** Matches labels against a selector. */
export function selectsLabels({ requirements }: LabelSelector, labels: Labels | null | undefined): boolean {
  return requirements?.every((requirement) => meetsRequirement(labels, requirement)) ?? false
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
