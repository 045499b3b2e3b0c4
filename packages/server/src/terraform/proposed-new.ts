// Computes the proposed new state that a provider is asked to plan; the counterpart of Terraform's ProposedNew.

import {
  type Attribute,
  type Block,
  emptyBlock,
  impliedType,
  type NestedBlock,
  type Schema,
} from '@hykube/tfplugin/schema'
import {
  canonicalSet,
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type Type,
  Typed,
  unknown,
  type Value,
  type ValueList,
  type ValueObject,
} from '@hykube/tfplugin/value'
import { couldComeFrom, isPartlyConfigured } from './correlation.ts'
import { type Content, contentOfAttributes, isNull, type NestedShape, partsOf } from './parts.ts'
import { closeBlocks, openBlocks } from './typed-blocks.ts'

/**
 * Merges configuration and prior state: the configured values, and the prior values of computed attributes that aren't configured. The
 * prior value is null to create. Unchanged parts are shared with the inputs, and a result equal to the configuration is the
 * configuration itself, so that later comparisons end at once.
 */
export function proposedNew({ block }: Schema, prior: Value, config: Value): Value {
  return proposedBlock(block, prior, config)
}

/** Returns the planned value of a data source that is read later: the configuration, and unknown for computed attributes. */
export function plannedUnknownObject({ block }: Schema, config: Value): Value {
  return proposedBlock(block, unknown, config)
}

/** Proposes an element from the prior and the configured one. */
type Propose = (prior: Value, config: Value) => Value
type CouldCome = (prior: Value, config: Value) => boolean

function proposedBlock(block: Block, prior: Value, config: Value): Value {
  if (isObject(config)) return proposedContent(block, prior, config)
  // A block itself is never null or unknown, so such a configuration has no information.
  return prior !== null ? prior : config === null ? null : emptyBlock(block)
}

function proposedObject(content: Content, prior: Value, config: Value): Value {
  return config === null ? null : proposedContent(content, prior, config)
}

function proposedContent({ attributes, blocks }: Content, prior: Value, config: Value): ValueObject {
  const proposed = emptyObject()
  const before = partsOf(prior)
  const given = partsOf(config)
  let same = isObject(config)
  for (const attribute of attributes) {
    const configured = given(attribute.name)
    const part = proposedAttribute(attribute, before(attribute.name), configured)
    proposed[attribute.name] = part
    if (part !== configured) same = false
  }
  for (const nested of blocks) {
    const configured = given(nested.name)
    const part = proposedNestedBlock(nested, before(nested.name), configured)
    proposed[nested.name] = part
    if (part !== configured) same = false
  }
  return same ? (config as ValueObject) : proposed
}

function proposedAttribute(attribute: Attribute, prior: Value, config: Value): Value {
  if (attribute.computed && isNull(config)) return isPartlyConfigured(attribute, prior) ? null : prior
  return attribute.shape.kind === 'nested' ? proposedNested(attribute.shape, prior, config) : config
}

function proposedNested(shape: NestedShape, prior: Value, config: Value): Value {
  if (config === null || isUnknown(config)) return config
  const content = contentOfAttributes(shape.attributes)
  const propose: Propose = (before, given) => proposedObject(content, before, given)
  switch (shape.nesting) {
    case 'single':
      return propose(prior, config)
    case 'list':
      return proposedList(propose, prior, config)
    case 'map':
      return proposedMap(propose, prior, config)
    case 'set':
      return proposedSet(propose, couldCome(content), nestedObjectType(shape), prior, config)
  }
}

function proposedNestedBlock({ nesting, block }: NestedBlock, prior: Value, config: Value): Value {
  if (isUnknown(config)) return config
  const propose: Propose = (before, given) => proposedBlock(block, before, given)
  switch (nesting) {
    case 'single':
      return config === null ? null : propose(prior, config)
    case 'group':
      return propose(prior, config)
    case 'list':
      return inOpenForm(block, prior, config, (before, given) => proposedList(propose, before, given))
    case 'map':
      return inOpenForm(block, prior, config, (before, given) => proposedMap(propose, before, given))
    case 'set':
      return proposedSet(propose, couldCome(block), impliedType(block), prior, config)
  }
}

function couldCome(content: Content): CouldCome {
  return (prior, config) => couldComeFrom(content, prior, config)
}

function inOpenForm(block: Block, prior: Value, config: Value, propose: Propose): Value {
  if (!(config instanceof Typed)) return propose(prior, config)
  const element = impliedType(block)
  return closeBlocks(propose(openBlocks(prior, element), openBlocks(config, element)), element)
}

/** Matches elements by index. A configured element without a prior one is proposed unchanged. */
function proposedList(propose: Propose, prior: Value, config: Value): Value {
  if (!isList(config)) return config
  return sharedList(config, (given, i) => {
    if (isUnknown(prior)) return propose(prior, given)
    return isList(prior) && i < prior.length ? propose(prior[i]!, given) : given
  })
}

/** Matches elements by key. A configured element without a prior one is proposed unchanged. */
function proposedMap(propose: Propose, prior: Value, config: Value): Value {
  if (!isObject(config) || !isObject(prior)) return config
  const proposed = emptyObject()
  let same = true
  for (const key of Object.keys(config)) {
    const given = config[key]!
    const part = Object.hasOwn(prior, key) ? propose(prior[key]!, given) : given
    proposed[key] = part
    if (part !== given) same = false
  }
  return same ? config : proposed
}

/** Matches each configured element with the first unmatched prior element that may result from it, in set order, like Terraform. */
function proposedSet(propose: Propose, couldCome: CouldCome, element: Type, prior: Value, config: Value): Value {
  if (!isList(config)) return config
  const left = isList(prior) ? [...prior] : []
  const elements = sharedList(config, (given) => {
    const index = left.findIndex((before) => couldCome(before, given))
    return propose(index < 0 ? null : left.splice(index, 1)[0]!, given)
  })
  return elements === config ? config : canonicalSet(elements, element)
}

function sharedList(list: ValueList, change: (part: Value, index: number) => Value): ValueList {
  let same = true
  const changed = list.map((part, i) => {
    const result = change(part, i)
    if (result !== part) same = false
    return result
  })
  return same ? list : changed
}

const objectTypes = new WeakMap<readonly Attribute[], Type>()

function nestedObjectType({ attributes }: NestedShape): Type {
  const known = objectTypes.get(attributes)
  if (known !== undefined) return known
  const type = impliedType({ ...undocumented, attributes, blocks: [] })
  objectTypes.set(attributes, type)
  return type
}

const undocumented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const
