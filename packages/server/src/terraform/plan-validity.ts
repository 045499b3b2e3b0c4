// Checks a planned value against configuration and prior state; the counterpart of Terraform's AssertPlanValid.

import { type Attribute, impliedType, type NestedBlock, type Schema } from '@hykube/tfplugin/schema'
import {
  attributeStep,
  indexStep,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  keyStep,
  type Path,
  type Value,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { type Content, contentOfAttributes, isNull, type NestedShape, partOf, partsOf } from './parts.ts'
import { chainIn, type PathChain, type Problem, Problems } from './problem.ts'
import { sameValues } from './same-values.ts'
import { openBlocks } from './typed-blocks.ts'

/** The values of a plan. The configuration is the one that the provider received, after ignore_changes. */
export interface PlanValues {
  readonly prior: Value
  readonly config: Value
  readonly planned: Value
}

/**
 * Lists the problems of a planned value. A provider may choose only computed attributes that aren't configured. A configured value must be
 * planned unchanged, or as the prior value if the provider considers both equivalent. Problems at sensitive paths don't show values.
 */
export function assertPlanValid({ block }: Schema, values: PlanValues, sensitive: readonly Path[] = []): Problem[] {
  const problems = new Problems(sensitive)
  checkObject(block, values, undefined, problems)
  return problems.found
}

function checkObject(
  content: Content,
  { prior, config, planned }: PlanValues,
  at: PathChain,
  problems: Problems,
): undefined {
  if (planned === null && config !== null) problems.add(at, 'planned to be absent, but the configuration has it')
  else if (config === null && planned !== null)
    problems.add(at, 'planned to be present, but the configuration does not have it')
  else if (planned !== null) checkContent(content, { prior, config, planned }, at, problems)
}

function checkContent(
  { attributes, blocks }: Content,
  values: PlanValues,
  at: PathChain,
  problems: Problems,
): undefined {
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
      chainIn(at, attributeStep(name)),
      problems,
    )
  }
}

/** Checks an attribute whose planned value differs from the configured one. */
function checkAttribute(attribute: Attribute, values: PlanValues, within: PathChain, problems: Problems): undefined {
  const { prior, config, planned } = values
  if (isNull(config) ? attribute.computed : !isNull(prior) && sameValues(planned, prior)) return
  // A computed-only attribute has a configured value only if ignore_changes put it there.
  if (attribute.computed && !attribute.optional) return
  if (attribute.writeOnly && isNull(planned)) return
  const at = chainIn(within, attributeStep(attribute.name), attribute.sensitive)
  if (isNull(config)) problems.addValues(at, unasked, unaskedSecret, [planned])
  else if (attribute.shape.kind === 'nested') checkNested(attribute.shape, values, at, problems)
  else if (isNull(prior)) problems.addValues(at, unwanted, unwantedSecret, [planned, config])
  else problems.addValues(at, neither, neitherSecret, [planned, config, prior])
}

type MessageOf = (shown: readonly string[]) => string
const unasked: MessageOf = ([plan]) => `planned value ${plan} for an attribute that is not computed`
const unwanted: MessageOf = ([plan, wanted]) => `planned value ${plan} does not match the configured ${wanted}`
const neither: MessageOf = ([plan, wanted, before]) =>
  `planned value ${plan} matches neither the configured ${wanted} nor the prior ${before}`
const unaskedSecret = 'a sensitive value is planned for an attribute that is not computed'
const unwantedSecret = 'the sensitive planned value does not match the configured one'
const neitherSecret = 'the sensitive planned value matches neither the configured nor the prior one'

function checkNested(shape: NestedShape, values: PlanValues, at: PathChain, problems: Problems): undefined {
  const { config, planned } = values
  if (planned === null) return problems.add(at, 'planned to be absent, but the configuration has it')
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
      // Set elements have no keys by which planned and configured ones could be matched, so only the count is checked.
      if (!mayBeAsMany(planned, config)) problems.add(at, countText(planned, config))
  }
}

/** Checks a block whose planned value differs from the configured one. */
function checkBlock({ nesting, block }: NestedBlock, values: PlanValues, at: PathChain, problems: Problems): undefined {
  if (isUnknown(values.config)) return problems.add(at, 'planned although the number of blocks is still unknown')
  if (isUnknown(values.planned))
    return problems.add(at, 'a nested block must not be unknown itself, only its attributes')
  if (nesting === 'single' || nesting === 'group') return checkObject(block, values, at, problems)
  if (values.planned === null) return problems.add(at, 'absent nested blocks must be empty, not null')
  const element = impliedType(block)
  const open: PlanValues = {
    prior: openBlocks(values.prior, element),
    // Null only if ignore_changes copied it from the state of a legacy provider.
    config: openBlocks(values.config, element) ?? [],
    planned: openBlocks(values.planned, element),
  }
  const check = (part: PlanValues, place: PathChain): undefined => {
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
  at: PathChain,
  check: (values: PlanValues, at: PathChain) => undefined,
): undefined {
  if (!isList(planned)) return
  for (const [i, part] of planned.entries()) {
    const before = isList(prior) ? (prior[i] ?? null) : null
    const wanted = isList(config) ? (config[i] ?? null) : config
    check({ prior: before, config: wanted, planned: part }, chainIn(at, indexStep(i)))
  }
}

function eachKey(
  { prior, config, planned }: PlanValues,
  at: PathChain,
  problems: Problems,
  check: (values: PlanValues, at: PathChain) => undefined,
): undefined {
  const plan = isObject(planned) ? planned : empty
  const wanted = isObject(config) ? config : empty
  for (const key of Object.keys(plan)) {
    if (Object.hasOwn(wanted, key)) {
      check({ prior: partOf(prior, key), config: wanted[key]!, planned: plan[key]! }, chainIn(at, keyStep(key)))
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

/** Unknown set elements may turn out equal, which makes the set smaller. */
function mayBeAsMany(planned: Value, config: Value): boolean {
  const most = lengthOf(planned)
  const wanted = lengthOf(config)
  if (most === undefined || wanted === undefined || !isWhollyKnown(config)) return true
  return isWhollyKnown(planned) ? most === wanted : wanted <= most && wanted >= Math.min(most, 1)
}

function countText(planned: Value, config: Value): string {
  return `${lengthOf(planned) ?? 'an unknown number'} planned, but ${lengthOf(config) ?? 'an unknown number'} configured`
}
