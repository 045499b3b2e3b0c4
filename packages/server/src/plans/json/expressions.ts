import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import type { Attribute, Block } from '@hykube/tfplugin/schema'
import { type Reference, referencesOf, referenceToText } from '../../expression/index.ts'

/** Converts the fields of a spec to Terraform's expression format: constant values, or references. */
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

/** Converts one value. */
export function expressionOf(value: JsonValue): object {
  const references = referencesIn(value)
  return references.length === 0 ? { constant_value: value } : { references }
}

// Omits constants of sensitive and write-only attributes.
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

// Like Terraform, lists the referenced attribute and then its resource.
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
