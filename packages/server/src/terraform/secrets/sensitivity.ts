import { type Attribute, impliedType, type Schema } from '@hykube/tfplugin/schema'
import { dynamicType, type Path, type PathStep, type Type, Typed, type Value, valueAt } from '@hykube/tfplugin/value'
import { walkAttributes } from '../attribute-walk.ts'
import { factsOf } from '../schema-facts.ts'

/** The sensitive parts of a value as a tree; `whole` covers everything below. */
export interface SensitiveTree {
  readonly whole: boolean
  readonly parts: ReadonlyMap<string | number, SensitiveTree>
}

/**
 * Returns the sensitive parts of a value: those that the schema marks, and these paths. Like in Terraform, a set with a sensitive
 * element is sensitive as a whole. Undefined when there are none.
 */
export function sensitiveTree(schema: Schema, value: Value, paths: readonly Path[]): SensitiveTree | undefined {
  const type = impliedType(schema.block)
  return treeOf(
    schema,
    value,
    paths,
    ({ sensitive }) => sensitive,
    (path) => upToSet(path, type, value),
  )
}

/** Returns the sensitive and write-only parts of a value. Undefined when there are none. */
export function secretTree(schema: Schema, value: Value, paths: readonly Path[]): SensitiveTree | undefined {
  return treeOf(
    schema,
    value,
    paths,
    ({ sensitive, writeOnly }) => sensitive || writeOnly,
    (path) => path,
  )
}

/** Returns the subtree at a step. */
export function treeWithin(tree: SensitiveTree | undefined, step: string | number): SensitiveTree | undefined {
  return tree?.whole === true ? tree : tree?.parts.get(step)
}

/** True when a sensitive part is above, at or below a path. */
export function touchesTree(tree: SensitiveTree | undefined, path: Path): boolean {
  let at = tree
  for (const step of path) {
    if (at === undefined || at.whole) break
    at = treeWithin(at, keyOf(step))
  }
  return at !== undefined
}

function treeOf(
  { block }: Schema,
  value: Value,
  paths: readonly Path[],
  is: (attribute: Pick<Attribute, 'sensitive' | 'writeOnly'>) => boolean,
  cut: (path: Path) => Path,
): SensitiveTree | undefined {
  const root: MutableTree = { whole: false, parts: new Map() }
  for (const path of paths) mark(root, upToSet(path, impliedType(block), value))
  if (is(factsOf(block))) {
    walkAttributes(block, value, (attribute, _, path) => {
      const secret = is(attribute)
      if (secret) mark(root, cut(path))
      return !secret
    })
  }
  return root.whole || root.parts.size > 0 ? root : undefined
}

interface MutableTree extends SensitiveTree {
  whole: boolean
  readonly parts: Map<string | number, MutableTree>
}

function mark(root: MutableTree, path: Path): void {
  let tree = root
  for (const step of path) {
    const key = keyOf(step)
    let next = tree.parts.get(key)
    if (next === undefined) {
      next = { whole: false, parts: new Map() }
      tree.parts.set(key, next)
    }
    tree = next
  }
  tree.whole = true
}

// Set elements have no paths of their own, so a path into a set is cut at the set.
function upToSet(path: Path, root: Type, value: Value): Path {
  let type = root
  let at: Value | undefined = value
  for (const [i, step] of path.entries()) {
    if (at instanceof Typed) type = at.type
    if (type.kind === 'set') return path.slice(0, i)
    type = typeWithin(type, step)
    at = at === undefined ? undefined : valueAt(at, [step])
  }
  return path
}

function typeWithin(type: Type, step: PathStep): Type {
  if (type.kind === 'object') return type.attributes.get(String(keyOf(step))) ?? dynamicType
  if (type.kind === 'tuple') return type.elements[Number(keyOf(step))] ?? dynamicType
  return type.kind === 'list' || type.kind === 'map' ? type.element : dynamicType
}

function keyOf(step: PathStep): string | number {
  return step.kind === 'index' ? step.index : step.kind === 'key' ? step.key : step.name
}
