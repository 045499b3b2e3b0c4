import {
  type Attribute,
  attributeStep,
  impliedType,
  indexStep,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  keyStep,
  type NestedBlock,
  type Path,
  type Schema,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { type Content, contentOfAttributes, isNull, type NestedShape, partOf, partsOf } from './parts.ts'
import { type Place, type Problem, Problems, placeIn } from './problem.ts'
import { sameValues } from './same-values.ts'
import { openBlocks } from './typed-blocks.ts'

/** The values that a plan is judged by. The configuration is the one that was sent. */
export interface PlanValues {
  readonly prior: Value
  readonly config: Value
  readonly planned: Value
}

/**
 * What is wrong with a planned value. A provider may choose only what is computed and left open; what is configured it
 * must plan as it is, or leave as it was before when that means the same to it. Sensitive places are told without values.
 */
export function assertPlanValid({ block }: Schema, values: PlanValues, sensitive: readonly Path[] = []): Problem[] {
  const problems = new Problems(sensitive)
  checkObject(block, values, undefined, problems)
  return problems.found
}

function checkObject(
  content: Content,
  { prior, config, planned }: PlanValues,
  at: Place,
  problems: Problems,
): undefined {
  if (planned === null && config !== null) problems.add(at, 'planned for absence, but the configuration wants it')
  else if (config === null && planned !== null)
    problems.add(at, 'planned for existence, but the configuration does not have it')
  else if (planned !== null) checkContent(content, { prior, config, planned }, at, problems)
}

function checkContent({ attributes, blocks }: Content, values: PlanValues, at: Place, problems: Problems): undefined {
  const prior = partsOf(values.prior)
  const config = partsOf(values.config)
  const planned = partsOf(values.planned)
  for (const attribute of attributes) {
    const { name } = attribute
    const wanted = config(name)
    const plan = planned(name)
    if (sameValues(plan, wanted)) continue
    checkAttribute(attribute, { prior: prior(name), config: wanted, planned: plan }, at, problems)
  }
  for (const nested of blocks) {
    const { name } = nested
    const wanted = config(name)
    const plan = planned(name)
    if (sameValues(plan, wanted)) continue
    checkBlock(
      nested,
      { prior: prior(name), config: wanted, planned: plan },
      placeIn(at, attributeStep(name)),
      problems,
    )
  }
}

/** An attribute whose planned value is not the configured one. */
function checkAttribute(attribute: Attribute, values: PlanValues, within: Place, problems: Problems): undefined {
  const { prior, config, planned } = values
  if (isNull(config) ? attribute.computed : !isNull(prior) && sameValues(planned, prior)) return
  // A computed attribute that can't be configured has a configuration only by ignore_changes.
  if (attribute.computed && !attribute.optional) return
  if (attribute.writeOnly && isNull(planned)) return
  const at = placeIn(within, attributeStep(attribute.name), attribute.sensitive)
  if (isNull(config)) problems.addValues(at, unasked, unaskedSecret, [planned])
  else if (attribute.shape.kind === 'nested') checkNested(attribute.shape, values, at, problems)
  else if (isNull(prior)) problems.addValues(at, unwanted, unwantedSecret, [planned, config])
  else problems.addValues(at, neither, neitherSecret, [planned, config, prior])
}

type Telling = (shown: readonly string[]) => string
const unasked: Telling = ([plan]) => `planned value ${plan} for an attribute that is not computed`
const unwanted: Telling = ([plan, wanted]) => `planned value ${plan} does not match the configured ${wanted}`
const neither: Telling = ([plan, wanted, before]) =>
  `planned value ${plan} matches neither the configured ${wanted} nor the prior ${before}`
const unaskedSecret = 'a sensitive value is planned for an attribute that is not computed'
const unwantedSecret = 'the sensitive planned value does not match the configured one'
const neitherSecret = 'the sensitive planned value matches neither the configured nor the prior one'

function checkNested(shape: NestedShape, values: PlanValues, at: Place, problems: Problems): undefined {
  const { config, planned } = values
  if (planned === null) return problems.add(at, 'planned for absence, but the configuration wants it')
  if (isUnknown(planned)) return problems.add(at, 'planned as unknown, but the configuration has it')
  const content = contentOfAttributes(shape.attributes)
  switch (shape.nesting) {
    case 'single':
      return checkContent(content, values, at, problems)
    case 'list':
      if (lengthOf(planned) !== lengthOf(config)) return problems.add(at, countText(planned, config))
      return eachIndex(values, at, (part, place) => checkContent(content, part, place, problems))
    case 'map':
      if (lengthOf(planned) !== lengthOf(config)) return problems.add(at, countText(planned, config))
      return eachKey(values, at, problems, (part, place) => checkContent(content, part, place, problems))
    case 'set':
      // Elements of sets have no names by which those of plan and configuration could be told to belong together.
      if (!mayBeAsMany(planned, config)) problems.add(at, countText(planned, config))
  }
}

/** A block whose planned value is not the configured one. */
function checkBlock({ nesting, block }: NestedBlock, values: PlanValues, at: Place, problems: Problems): undefined {
  if (isUnknown(values.config))
    return problems.add(at, 'planned, although it is not known yet how many blocks there are')
  if (isUnknown(values.planned))
    return problems.add(at, 'a nested block must not be unknown itself, only its attributes')
  if (nesting === 'single' || nesting === 'group') return checkObject(block, values, at, problems)
  if (values.planned === null) return problems.add(at, 'nested blocks that are not there must be empty, not null')
  const element = impliedType(block)
  const open: PlanValues = {
    prior: openBlocks(values.prior, element),
    // A null here was put in by ignore_changes from what an old provider had returned.
    config: openBlocks(values.config, element) ?? [],
    planned: openBlocks(values.planned, element),
  }
  const check = (part: PlanValues, place: Place): undefined => {
    if (isUnknown(part.planned)) problems.add(place, 'a nested block must not be unknown itself, only its attributes')
    else if (nesting !== 'set') checkObject(block, part, place, problems)
  }
  if (nesting === 'map') eachKey(open, at, problems, check)
  else if (nesting === 'list' && lengthOf(open.planned) !== lengthOf(open.config))
    problems.add(at, countText(open.planned, open.config))
  else eachIndex(open, at, check)
}

function eachIndex(
  { prior, config, planned }: PlanValues,
  at: Place,
  check: (values: PlanValues, at: Place) => undefined,
): undefined {
  if (!isList(planned)) return
  for (const [i, part] of planned.entries()) {
    const before = isList(prior) ? (prior[i] ?? null) : null
    const wanted = isList(config) ? (config[i] ?? null) : config
    check({ prior: before, config: wanted, planned: part }, placeIn(at, indexStep(i)))
  }
}

function eachKey(
  { prior, config, planned }: PlanValues,
  at: Place,
  problems: Problems,
  check: (values: PlanValues, at: Place) => undefined,
): undefined {
  const plan = isObject(planned) ? planned : empty
  const wanted = isObject(config) ? config : empty
  for (const key of Object.keys(plan)) {
    if (Object.hasOwn(wanted, key)) {
      check({ prior: partOf(prior, key), config: wanted[key]!, planned: plan[key]! }, placeIn(at, keyStep(key)))
    } else problems.add(at, `key ${JSON.stringify(key)} is planned but not configured`)
  }
  for (const key of Object.keys(wanted)) {
    if (!Object.hasOwn(plan, key)) problems.add(at, `key ${JSON.stringify(key)} is configured but not planned`)
  }
}

const empty: ValueObject = {}

function lengthOf(value: Value): number | undefined {
  if (isList(value)) return value.length
  return isObject(value) ? Object.keys(value).length : value === null ? 0 : undefined
}

/** Unknown elements of a set may turn out to be equal, so that it becomes smaller. */
function mayBeAsMany(planned: Value, config: Value): boolean {
  const most = lengthOf(planned)
  const wanted = lengthOf(config)
  if (most === undefined || wanted === undefined || !isWhollyKnown(config)) return true
  return isWhollyKnown(planned) ? most === wanted : wanted <= most && wanted >= Math.min(most, 1)
}

function countText(planned: Value, config: Value): string {
  return `${lengthOf(planned) ?? 'an unknown number'} planned, but ${lengthOf(config) ?? 'an unknown number'} configured`
}
