import {
  type Attribute,
  dynamicType,
  impliedType,
  type Path,
  type PathStep,
  type Schema,
  type Type,
  Typed,
  type Value,
  valueAt,
} from '@hykube/tfplugin/value'
import { walkAttributes } from './attribute-walk.ts'
import { factsOf } from './schema-facts.ts'

/** The sensitive parts of a value as a tree over it: `whole` stands for everything below. */
export interface SensitiveTree {
  readonly whole: boolean
  readonly parts: ReadonlyMap<string | number, SensitiveTree>
}

/**
 * What of a value is sensitive: what the schema says so of, and these places. As in Terraform a set with something
 * sensitive in it is so as a whole. Absent when nothing is.
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

/** What of a value must not be shown: what is sensitive, and what is only written. Absent when nothing is. */
export function secretTree(schema: Schema, value: Value, paths: readonly Path[]): SensitiveTree | undefined {
  return treeOf(
    schema,
    value,
    paths,
    ({ sensitive, writeOnly }) => sensitive || writeOnly,
    (path) => path,
  )
}

/** The tree of a part, as a step leads to it. */
export function treeWithin(tree: SensitiveTree | undefined, step: string | number): SensitiveTree | undefined {
  return tree?.whole === true ? tree : tree?.parts.get(step)
}

/** Whether a path leads to something sensitive or into it. */
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
  place: (path: Path) => Path,
): SensitiveTree | undefined {
  const root: Node = { whole: false, parts: new Map() }
  for (const path of paths) mark(root, upToSet(path, impliedType(block), value))
  if (is(factsOf(block))) {
    walkAttributes(block, value, (attribute, _, path) => {
      const secret = is(attribute)
      if (secret) mark(root, place(path))
      return !secret
    })
  }
  return root.whole || root.parts.size > 0 ? root : undefined
}

interface Node extends SensitiveTree {
  whole: boolean
  readonly parts: Map<string | number, Node>
}

function mark(root: Node, path: Path): void {
  let node = root
  for (const step of path) {
    const key = keyOf(step)
    let next = node.parts.get(key)
    if (next === undefined) {
      next = { whole: false, parts: new Map() }
      node.parts.set(key, next)
    }
    node = next
  }
  node.whole = true
}

// Elements of a set have no places of their own, so that one sensitive element makes the set sensitive.
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
