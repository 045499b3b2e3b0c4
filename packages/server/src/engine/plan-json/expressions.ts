import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import type { Attribute, Block } from '@hykube/tfplugin/value'
import { type Reference, referencesOf, referenceToText } from '../../expression/index.ts'

/** What is written for each attribute and block of a schema: constants, or what is referred to. */
export function expressionsOf(block: Block, written: JsonObject): object {
  const expressions: Record<string, unknown> = {}
  for (const attribute of block.attributes) {
    const value = written[attribute.name]
    if (value !== undefined) expressions[attribute.name] = attributeExpression(attribute, value)
  }
  for (const nested of block.blocks) {
    const value = written[nested.name]
    if (value !== undefined) expressions[nested.name] = blockExpressions(nested.block, value)
  }
  return expressions
}

/** One value: a constant, or what it refers to. */
export function expressionOf(value: JsonValue): object {
  const references = referencesIn(value)
  return references.length === 0 ? { constant_value: value } : { references }
}

// A constant that nobody shall see is not shown.
function attributeExpression(attribute: Attribute, value: JsonValue): object {
  const expression = expressionOf(value)
  return hides(attribute) && 'constant_value' in expression ? {} : expression
}

function hides({ sensitive, writeOnly, shape }: Attribute): boolean {
  return sensitive || writeOnly || (shape.kind === 'nested' && shape.attributes.some(hides))
}

function blockExpressions(block: Block, value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map((item) => blockExpressions(block, item))
  return isJsonObject(value) ? expressionsOf(block, value) : expressionOf(value)
}

// As Terraform lists them: what is looked up, then the resource it belongs to.
function referencesIn(value: JsonValue): readonly string[] {
  const texts = new Set<string>()
  for (const { reference } of referencesOf(undefined, { value }).references) {
    texts.add(referenceToText(reference))
    const whole = resourceText(reference)
    if (whole !== undefined) texts.add(whole)
  }
  return [...texts]
}

function resourceText(reference: Reference): string | undefined {
  return reference.kind === 'resource' ? referenceToText({ ...reference, path: [] }) : undefined
}
