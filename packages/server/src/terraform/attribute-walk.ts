import { type Attribute, type Block, impliedType } from '@hykube/tfplugin/schema'
import { attributeStep, indexStep, isList, isObject, keyStep, type Path, type Value } from '@hykube/tfplugin/value'
import { type Content, contentOfAttributes } from './parts.ts'
import { openBlocks } from './typed-blocks.ts'

/**
 * Visits every attribute of a value, including those in blocks and nested attributes, parents before children. Where the visitor
 * returns false, the attribute's children are skipped.
 */
export function walkAttributes(
  block: Block,
  value: Value,
  visit: (attribute: Attribute, value: Value, path: Path) => boolean,
): void {
  walkContent(block, value, [], visit)
}

type Visit = Parameters<typeof walkAttributes>[2]

function walkContent({ attributes, blocks }: Content, value: Value, path: Path, visit: Visit): void {
  if (!isObject(value)) return
  for (const attribute of attributes) {
    const at = [...path, attributeStep(attribute.name)]
    const part = value[attribute.name] ?? null
    if (!visit(attribute, part, at) || attribute.shape.kind === 'plain') continue
    walkElements(contentOfAttributes(attribute.shape.attributes), attribute.shape.nesting, part, at, visit)
  }
  for (const { name, nesting, block } of blocks) {
    const at = [...path, attributeStep(name)]
    walkElements(block, nesting, openBlocks(value[name] ?? null, impliedType(block)), at, visit)
  }
}

function walkElements(content: Content, nesting: string, value: Value, path: Path, visit: Visit): void {
  if (isList(value)) {
    for (const [i, part] of value.entries()) walkContent(content, part, [...path, indexStep(i)], visit)
  } else if (nesting !== 'map') walkContent(content, value, path, visit)
  else if (isObject(value)) {
    for (const key of Object.keys(value)) walkContent(content, value[key]!, [...path, keyStep(key)], visit)
  }
}
