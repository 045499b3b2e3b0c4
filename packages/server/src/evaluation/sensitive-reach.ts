import type { Block, NestedBlock } from '@hykube/tfplugin/schema'
import { type Path, pathToText } from '@hykube/tfplugin/value'
import { type ResourceReference, referenceToText, type SpecReference } from '../expression/index.ts'
import type { Content } from '../terraform/index.ts'
import { someAttribute, touchesTree } from '../terraform/index.ts'
import type { Outputs } from './outputs.ts'

/** Returns the key of one use, a reference at a path of a spec, in the record of authorized uses. */
export function useText({ path, reference }: Pick<SpecReference, 'path' | 'reference'>): string {
  return `${pathToText(path)} ${referenceToText(reference)}`
}

/** True when a use reads a value, so that a sensitive value would reach the field in which the use stands. */
export function takesValue({ role }: Pick<SpecReference, 'role'>): boolean {
  return role === 'value' || role === 'expansion'
}

/** True when a sensitive value is at or below a path in the instances that a reference selects. */
export function reachesSensitive(
  { repetition, instances }: Outputs,
  { instance }: ResourceReference,
  reach: Path,
): boolean {
  // A reference to a whole batch selects the instance with its first step.
  const path = instance.kind === 'none' && repetition !== 'single' ? reach.slice(1) : reach
  if (instance.kind === 'key') return touchesTree(instances.get(instance.key)?.sensitive, path)
  for (const { sensitive } of instances.values()) if (touchesTree(sensitive, path)) return true
  return false
}

/** True when the schema marks an attribute above, at or below a path as sensitive. */
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
