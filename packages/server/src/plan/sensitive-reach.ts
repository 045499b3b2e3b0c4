import { type Block, type NestedBlock, type Path, pathToText } from '@hykube/tfplugin/value'
import { type ResourceReference, referenceToText, type SpecReference } from '../expression/index.ts'
import type { Outputs } from './outputs.ts'
import type { Content } from './rules/parts.ts'
import { someAttribute } from './rules/schema-facts.ts'
import { touchesTree } from './rules/sensitivity.ts'

/** One use of a value at one place of a spec, as it is kept in the record of authorized uses. */
export function useText({ path, reference }: Pick<SpecReference, 'path' | 'reference'>): string {
  return `${pathToText(path)} ${referenceToText(reference)}`
}

/** Whether a use takes a value, so that a sensitive one would go to where the use stands. */
export function takesValue({ role }: Pick<SpecReference, 'role'>): boolean {
  return role === 'value' || role === 'expansion'
}

/** Whether something sensitive is at or below a path in the instances that a reference selects. */
export function reachesSensitive(
  { repetition, instances }: Outputs,
  { instance }: ResourceReference,
  reach: Path,
): boolean {
  // The first step into a batch as a whole selects an instance.
  const path = instance.kind === 'none' && repetition !== 'single' ? reach.slice(1) : reach
  if (instance.kind === 'key') return touchesTree(instances.get(instance.key)?.sensitive, path)
  for (const { sensitive } of instances.values()) if (touchesTree(sensitive, path)) return true
  return false
}

/** Whether the schema calls something sensitive that is on the way to, at or below a path. */
export function schemaReaches(block: Block, reach: Path): boolean {
  let content: Content = block
  let nesting: NestedBlock['nesting'] = 'single'
  for (const step of reach) {
    if (nesting !== 'single' && nesting !== 'group') {
      nesting = 'single'
      continue
    }
    const name = step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : undefined
    const attribute = content.attributes.find((each) => each.name === name)
    if (attribute !== undefined) {
      if (attribute.sensitive || attribute.shape.kind === 'plain') return attribute.sensitive
      content = { attributes: attribute.shape.attributes, blocks: [] }
      nesting = attribute.shape.nesting
      continue
    }
    const nested: NestedBlock | undefined = content.blocks.find((each) => each.name === name)
    if (nested === undefined) break
    content = nested.block
    nesting = nested.nesting
  }
  return someAttribute(content, ({ sensitive }) => sensitive)
}
