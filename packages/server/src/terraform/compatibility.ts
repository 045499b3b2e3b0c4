// Checks that the result of an apply matches the plan; the counterpart of Terraform's AssertObjectCompatible.

import { type Block, impliedType, type NestedBlock, type Schema } from '@hykube/tfplugin/schema'
import {
  attributeStep,
  conformsTo,
  Decimal,
  elementType,
  indexStep,
  isList,
  isObject,
  isUnknown,
  keyStep,
  type ObjectType,
  type Path,
  type Type,
  Typed,
  type Value,
  type ValueList,
} from '@hykube/tfplugin/value'
import { partsOf } from './parts.ts'
import { chainIn, type PathChain, type Problem, Problems } from './problem.ts'
import { mayBecome } from './refinement.ts'
import { sameValues } from './same-values.ts'
import { openBlocks } from './typed-blocks.ts'

/**
 * Lists where an actual value contradicts the planned one: every known value must be equal, and an unknown one must satisfy its
 * refinement. Problems at sensitive paths don't show values.
 */
export function assertObjectCompatible(
  { block }: Schema,
  planned: Value,
  actual: Value,
  sensitive: readonly Path[] = [],
): Problem[] {
  const problems = new Problems(sensitive)
  checkObject(block, planned, actual, undefined, problems)
  return problems.found
}

function checkObject(block: Block, planned: Value, actual: Value, at: PathChain, problems: Problems): undefined {
  if (planned === null && actual !== null) return problems.add(at, 'was absent, but is now present')
  if (planned !== null && actual === null) return problems.add(at, 'was present, but is now absent')
  if (planned === null || isUnknown(planned)) return
  const plan = partsOf(planned)
  const now = partsOf(actual)
  const types = impliedType(block).attributes
  for (const { name, sensitive } of block.attributes) {
    const before = plan(name)
    const after = now(name)
    if (sameValues(before, after)) continue
    checkAttribute(types.get(name)!, before, after, chainIn(at, attributeStep(name), sensitive), problems)
  }
  for (const nested of block.blocks) {
    const before = plan(nested.name)
    const after = now(nested.name)
    if (sameValues(before, after)) continue
    checkBlock(nested, before, after, chainIn(at, attributeStep(nested.name)), problems)
  }
}

// A problem in a sensitive attribute doesn't show keys or counts either.
function checkAttribute(type: Type, planned: Value, actual: Value, at: PathChain, problems: Problems): undefined {
  if (at?.sensitive !== true) checkValue(type, planned, actual, at, problems)
  else if (!isCompatible(type, planned, actual)) problems.add(at, 'inconsistent values for sensitive attribute')
}

function isCompatible(type: Type, planned: Value, actual: Value): boolean {
  const problems = new Problems()
  checkValue(type, planned, actual, undefined, problems)
  return problems.found.length === 0
}

function checkBlock(
  { nesting, block }: NestedBlock,
  planned: Value,
  actual: Value,
  at: PathChain,
  problems: Problems,
): undefined {
  if (isUnknown(planned)) return
  if (nesting === 'single' || nesting === 'group') return checkObject(block, planned, actual, at, problems)
  const element = impliedType(block)
  const plan = openBlocks(planned, element)
  const now = openBlocks(actual, element)
  if (plan === null || now === null || isUnknown(now)) return
  if (nesting === 'set' && isList(plan) && isList(now)) {
    const fits = (a: Value, b: Value) => isCompatibleObject(block, a, b)
    checkSet(plan, now, fits, at, problems)
  } else if (isList(plan) && isList(now)) {
    if (plan.length !== now.length)
      return problems.add(at, `the number of blocks changed from ${plan.length} to ${now.length}`)
    plan.forEach((part, i) => {
      checkObject(block, part, now[i]!, chainIn(at, indexStep(i)), problems)
    })
  } else checkMembers(plan, now, at, problems, (a, b, place) => checkObject(block, a, b, place, problems))
}

function isCompatibleObject(block: Block, planned: Value, actual: Value): boolean {
  const problems = new Problems()
  checkObject(block, planned, actual, undefined, problems)
  return problems.found.length === 0
}

function checkValue(type: Type, planned: Value, actual: Value, at: PathChain, problems: Problems): undefined {
  if (type.kind === 'dynamic') return checkDynamic(planned, actual, at, problems)
  if (isUnknown(planned)) {
    if (!mayBecome(planned, actual, type))
      problems.addValues(at, excludedText, 'does not match the refinement of the unknown value', [actual])
    return
  }
  if (isUnknown(actual)) return problems.add(at, 'was known, but is now unknown')
  if (planned === null || actual === null) {
    if (planned !== actual) problems.addValues(at, changeText, 'changed', [planned, actual])
    return
  }
  switch (type.kind) {
    case 'object':
      return checkAttributes(type, planned, actual, at, problems)
    case 'map':
      return checkMembers(planned, actual, at, problems, (a, b, place) =>
        checkValue(type.element, a, b, place, problems),
      )
    case 'set':
      if (isList(planned) && isList(actual))
        checkSet(planned, actual, (a, b) => isCompatible(type.element, a, b), at, problems)
      return
    case 'list':
    case 'tuple':
      if (isList(planned) && isList(actual)) checkList(type, planned, actual, at, problems)
      return
    default:
      if (!sameScalars(planned, actual)) problems.addValues(at, changeText, 'changed', [planned, actual])
  }
}

type MessageOf = (shown: readonly string[]) => string
const changeText: MessageOf = ([before, after]) => `was ${before}, but is now ${after}`
const excludedText: MessageOf = ([after]) => `is now ${after}, which the refinement of the unknown value excludes`

// A dynamic value that was planned as null or unknown may get any type.
function checkDynamic(planned: Value, actual: Value, at: PathChain, problems: Problems): undefined {
  if (planned === null || isUnknown(planned)) return
  const plan = planned instanceof Typed ? planned : undefined
  const now = actual instanceof Typed ? actual : undefined
  if (plan === undefined || now === undefined || !conformsTo(now.type, plan.type))
    problems.add(at, 'the type of the value changed')
  else checkValue(plan.type, plan.value, now.value, at, problems)
}

function sameScalars(a: Value, b: Value): boolean {
  return a === b || (a instanceof Decimal && b instanceof Decimal && a.equals(b))
}

function checkAttributes(
  type: ObjectType,
  planned: Value,
  actual: Value,
  at: PathChain,
  problems: Problems,
): undefined {
  const plan = partsOf(planned)
  const now = partsOf(actual)
  for (const [name, part] of type.attributes) {
    checkValue(part, plan(name), now(name), chainIn(at, attributeStep(name)), problems)
  }
}

function checkList(type: Type, planned: ValueList, actual: ValueList, at: PathChain, problems: Problems): undefined {
  for (let i = 0; i < Math.max(planned.length, actual.length); i++) {
    if (i >= actual.length) problems.add(at, `element ${i} has vanished`)
    else if (i >= planned.length) problems.add(at, `new element ${i} has appeared`)
    else checkValue(elementType(type, i), planned[i]!, actual[i]!, chainIn(at, indexStep(i)), problems)
  }
}

function checkMembers(
  planned: Value,
  actual: Value,
  at: PathChain,
  problems: Problems,
  check: (planned: Value, actual: Value, at: PathChain) => undefined,
): undefined {
  if (!isObject(planned) || !isObject(actual)) return
  for (const key of Object.keys(planned)) {
    if (Object.hasOwn(actual, key)) check(planned[key]!, actual[key]!, chainIn(at, keyStep(key)))
    else problems.add(at, `element ${JSON.stringify(key)} has vanished`)
  }
  for (const key of Object.keys(actual)) {
    if (!Object.hasOwn(planned, key)) problems.add(at, `new element ${JSON.stringify(key)} has appeared`)
  }
}

/**
 * Set elements can't be matched by key, so each only needs some compatible counterpart on the other side. There may be fewer elements
 * than planned, because unknown ones may turn out equal, but never more.
 */
function checkSet(
  planned: ValueList,
  actual: ValueList,
  fits: (planned: Value, actual: Value) => boolean,
  at: PathChain,
  problems: Problems,
): undefined {
  const missing = planned.filter((plan) => !actual.some((now) => fits(plan, now)))
  const unplanned = missing.length > 0 ? [] : actual.filter((now) => !planned.some((plan) => fits(plan, now)))
  for (const plan of missing) problems.addValues(at, missingText, 'a planned element is not in the set', [plan])
  for (const now of unplanned) problems.addValues(at, unplannedText, 'an element of the set was not planned', [now])
  if (planned.length < actual.length)
    problems.add(at, `the number of elements grew from ${planned.length} to ${actual.length}`)
}

const missingText: MessageOf = ([value]) => `the planned element ${value} is not in the set`
const unplannedText: MessageOf = ([value]) => `the element ${value} was not planned`
