import {
  type Block,
  dynamicType,
  impliedType,
  type Path,
  type PathStep,
  type Schema,
  samePath,
  type Type,
  type Value,
  valueAt,
} from '@hykube/tfplugin/value'
import { walkAttributes } from './attribute-walk.ts'
import { ignoreSensitivity } from './ignore-changes.ts'
import type { PlanInput } from './plan-request.ts'
import { attributeAt, factsOf } from './schema-facts.ts'

/** The sensitive parts of a value as a tree over it: `whole` stands for everything below. */
export interface SensitiveTree {
  readonly whole: boolean
  readonly parts: ReadonlyMap<string | number, SensitiveTree>
}

/** What of a value must not be shown: what the schema calls sensitive or write-only, and these places. Absent when nothing is. */
export function sensitiveTree({ block }: Schema, value: Value, paths: readonly Path[]): SensitiveTree | undefined {
  const root: Node = { whole: false, parts: new Map() }
  for (const path of paths) mark(root, upToSet(path, impliedType(block)))
  const { sensitive, writeOnly } = factsOf(block)
  if (sensitive || writeOnly) markBySchema(root, block, value)
  return root.whole || root.parts.size > 0 ? root : undefined
}

/** The tree of a part, as a step leads to it. */
export function treeWithin(tree: SensitiveTree | undefined, step: string | number): SensitiveTree | undefined {
  return tree?.whole === true ? tree : tree?.parts.get(step)
}

/**
 * Whether the same parts are sensitive in the state and in what was planned, apart from what the schema says: a
 * difference in that alone is an update, of which the provider need not know.
 */
export function sameSensitivity(input: PlanInput, prior: Value, planned: Value): boolean {
  const before = input.prior?.sensitivePaths ?? []
  if (before.length === 0 && input.configSensitive.length === 0) return true
  const after = ignoreSensitivity(before, input.configSensitive, input.lifecycle.ignoreChanges)
  const significant = (paths: readonly Path[], value: Value) =>
    paths.filter((path) => !isSensitiveBySchema(input.schema, path) && valueAt(value, path) !== undefined)
  return samePaths(significant(before, prior), significant(after, planned))
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
function upToSet(path: Path, type: Type): Path {
  let at = type
  for (const [i, step] of path.entries()) {
    if (at.kind === 'set') return path.slice(0, i)
    at = typeWithin(at, step)
  }
  return path
}

function typeWithin(type: Type, step: PathStep): Type {
  if (type.kind === 'object') return type.attributes.get(String(keyOf(step))) ?? dynamicType
  if (type.kind === 'tuple') return type.elements[Number(keyOf(step))] ?? dynamicType
  return type.kind === 'list' || type.kind === 'map' ? type.element : dynamicType
}

function markBySchema(root: Node, block: Block, value: Value): void {
  walkAttributes(block, value, ({ sensitive, writeOnly }, _, path) => {
    if (sensitive || writeOnly) mark(root, path)
    return !sensitive && !writeOnly
  })
}

function keyOf(step: PathStep): string | number {
  return step.kind === 'index' ? step.index : step.kind === 'key' ? step.key : step.name
}

function isSensitiveBySchema({ block }: Schema, path: Path): boolean {
  return path.some((_, i) => attributeAt(block, path.slice(0, i + 1))?.sensitive === true)
}

function samePaths(a: readonly Path[], b: readonly Path[]): boolean {
  const covers = (paths: readonly Path[], path: Path) => paths.some((other) => samePath(other, path))
  return a.every((path) => covers(b, path)) && b.every((path) => covers(a, path))
}
