import type { Steps } from '../base/index.ts'
import { isJsonObject } from '../json/index.ts'
import { canonicalElement, compareElements, type FieldPath, type PathElement } from './path-element.ts'

/**
 * A set of field paths in the representation of FieldsV1: a tree, in which each path element leads to the set below it. An
 * element itself is a member when the set below it is empty or contains the marker `.`; otherwise only fields below it are.
 * Sets are immutable: an operation returns a new set that shares the unchanged parts, or the same set when nothing changed,
 * so that its cost follows the size of the change and not that of the object.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet
}

/** The empty set; below a path element it means that the element itself is a member. */
export const emptyFieldSet: FieldSet = Object.freeze({})

/** Returns the set of the given paths. */
export function fieldSetOf(...paths: readonly FieldPath[]): FieldSet {
  return paths.map(single).reduce(union, emptyFieldSet)
}

export function isEmptySet(set: FieldSet): boolean {
  if (largeSets.has(set)) return false
  for (const element in set) if (element !== self) return false
  return true
}

/** Records that a large set has at least `size` elements, so that isEmptySet need not enumerate it. */
export function noteSize<Set extends FieldSet>(set: Set, size: number): Set {
  if (size >= largeSetSize) largeSets.set(set, size)
  return set
}

/** Returns the set below an element; empty when there is none. */
export function within(set: FieldSet, element: PathElement): FieldSet {
  return set[element] ?? emptyFieldSet
}

/** Returns true when the element itself is a member. */
export function hasElement(set: FieldSet, element: PathElement): boolean {
  const node = set[element]
  return node !== undefined && isMember(node)
}

/** Returns the paths that are in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a
  if (isEmptySet(a)) return b
  let result: Record<PathElement, FieldSet> | undefined
  let size = 0
  for (const element in b) {
    size++
    if (element === self) continue
    const left = a[element]
    const joined = left === undefined ? b[element]! : unionNodes(left, b[element]!)
    if (joined === left) continue
    result ??= { ...a }
    result[element] = joined
  }
  return result === undefined ? a : noteSize(result, Math.max(size - 1, knownSize(a)))
}

/** Returns the paths that are in any of the sets. Joins sets of similar size, because each union copies its operands. */
export function* unionOf(sets: readonly FieldSet[]): Steps<FieldSet> {
  let level = sets
  while (level.length > 1) {
    const joined: FieldSet[] = []
    for (let at = 0; at < level.length; at += 2) {
      joined.push(at + 1 < level.length ? union(level[at]!, level[at + 1]!) : level[at]!)
      yield
    }
    level = joined
  }
  return level[0] ?? emptyFieldSet
}

/** Returns the paths that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result: Record<PathElement, FieldSet> = {}
  let size = 0
  for (const element in smaller(a, b)) {
    const left = a[element]
    const right = b[element]
    if (left === undefined || right === undefined || element === self) continue
    const node = nodeOf(isMember(left) && isMember(right), intersection(left, right))
    if (node === undefined) continue
    result[element] = node
    size++
  }
  return noteSize(result, size)
}

/** Returns the paths of `a` that are not in `b`. Paths below a removed one remain. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (left, right) => nodeOf(isMember(left) && !isMember(right), difference(left, right)))
}

/** Returns the paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (left, right) =>
    isMember(right) ? undefined : nodeOf(isMember(left), recursiveDifference(left, right)),
  )
}

/** Returns the paths of a set that have no member below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const result: Record<PathElement, FieldSet> = {}
  for (const element in set) {
    if (element !== self) result[element] = isEmptySet(set[element]!) ? emptyFieldSet : leavesOf(set[element]!)
  }
  return noteSize(result, knownSize(set) - 1)
}

/** Lists the paths of a set: at each level first the members, then the paths below them, both in the order of FieldsV1. */
export function pathsOf(set: FieldSet): FieldPath[] {
  const paths: FieldPath[] = []
  collectPaths(set, [], paths)
  return paths
}

export function fieldSetsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  let size = 0
  for (const element in a) {
    if (element === self) continue
    size++
    const left = a[element]!
    const right = b[element]
    if (right === undefined || isMember(left) !== isMember(right) || !fieldSetsEqual(left, right)) return false
  }
  for (const element in b) if (element !== self) size--
  return size === 0
}

/** Decodes FieldsV1. Elements of an unknown kind are ignored, as in Kubernetes; throws when an element is malformed. */
export function fieldSetFromJson(json: unknown): FieldSet {
  if (json === null || json === undefined) return emptyFieldSet
  if (!isJsonObject(json)) throw new Error(`expected an object of fields, got ${JSON.stringify(json)}`)
  let result: Record<PathElement, FieldSet> | undefined
  let size = 0
  for (const key in json) {
    size++
    const element = key === self ? self : canonicalElement(key)
    const child = element === self ? emptyFieldSet : fieldSetFromJson(json[key])
    if (element === key && ((child as unknown) === json[key] || isBareObject(json[key]))) continue
    result ??= { ...(json as unknown as FieldSet) }
    if (element !== key) delete result[key]
    if (element !== undefined) result[element] = child
  }
  // The size is recorded for canonical input only; ignored or renamed elements are rare.
  return result ?? noteSize(json as unknown as FieldSet, size)
}

/** Encodes a set as FieldsV1 with sorted elements; returns the same object when it is already sorted. */
export function fieldSetToJson(set: FieldSet): FieldSet {
  const elements = Object.keys(set)
  const isSorted = elements.every(
    (element, index) => index === 0 || compareSelfFirst(elements[index - 1]!, element) < 0,
  )
  let result: Record<PathElement, FieldSet> | undefined = isSorted ? undefined : {}
  if (!isSorted) elements.sort(compareSelfFirst)
  for (const element of elements) {
    const node = set[element]!
    const child = element === self || isEmptySet(node) ? emptyFieldSet : fieldSetToJson(node)
    if (result === undefined && (child === node || isBare(node))) continue
    result ??= { ...set }
    result[element] = child
  }
  return result === undefined ? set : noteSize(result, elements.length)
}

export function fieldSetSize(set: FieldSet): number {
  let size = 0
  for (const element in set) {
    if (element === self) continue
    const node = set[element]!
    size += (isMember(node) ? 1 : 0) + fieldSetSize(node)
  }
  return size
}

/** Builds the set below an element from its own membership and the paths inside; undefined when both are empty. */
export function nodeOf(member: boolean, inside: FieldSet): FieldSet | undefined {
  if (isEmptySet(inside)) return member ? (isBare(inside) ? inside : emptyFieldSet) : undefined
  if (member === self in inside) return inside
  if (member) return noteSize({ [self]: emptyFieldSet, ...inside }, knownSize(inside))
  const { [self]: _, ...rest } = inside
  return noteSize(rest, knownSize(inside) - 1)
}

/** Returns true when the element that leads to this node is itself a member. */
export function isMember(node: FieldSet): boolean {
  return self in node || isEmptySet(node)
}

const self = '.'

// `for (… in set)` collects all properties of an object before the first iteration, so that even a test for emptiness is slow
// on a large set. Large sets are recorded here with a lower bound of their size, including the marker `.`.
const largeSets = new WeakMap<FieldSet, number>()
const largeSetSize = 100

function knownSize(set: FieldSet): number {
  return largeSets.get(set) ?? 0
}

// The elements that two sets share are found by enumerating one of them. Many managers with small sets are compared with
// one large set of changes, so the large one must not be enumerated each time.
function smaller(a: FieldSet, b: FieldSet): FieldSet {
  return knownSize(b) > knownSize(a) ? a : b
}

function single(path: FieldPath): FieldSet {
  return path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), emptyFieldSet)
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  return nodeOf(isMember(a) || isMember(b), union(a, b))!
}

function without(
  a: FieldSet,
  b: FieldSet,
  subtract: (left: FieldSet, right: FieldSet) => FieldSet | undefined,
): FieldSet {
  let result: Record<PathElement, FieldSet> | undefined
  let removed = 0
  for (const element in smaller(a, b)) {
    const left = a[element]
    const right = b[element]
    if (left === undefined || right === undefined || element === self) continue
    const rest = subtract(left, right)
    if (rest === left) continue
    result ??= { ...a }
    if (rest === undefined) {
      delete result[element]
      removed++
    } else result[element] = rest
  }
  return result === undefined ? a : noteSize(result, knownSize(a) - removed)
}

function collectPaths(set: FieldSet, prefix: FieldPath, paths: FieldPath[]): void {
  const elements = Object.keys(set)
    .filter((element) => element !== self)
    .sort(compareElements)
  for (const element of elements) if (isMember(set[element]!)) paths.push([...prefix, element])
  for (const element of elements) collectPaths(set[element]!, [...prefix, element], paths)
}

function compareSelfFirst(a: PathElement, b: PathElement): number {
  if (a === self) return b === self ? 0 : -1
  return b === self ? 1 : compareElements(a, b)
}

function isBareObject(value: unknown): boolean {
  return isJsonObject(value) && isBare(value as unknown as FieldSet)
}

function isBare(node: FieldSet): boolean {
  if (largeSets.has(node)) return false
  for (const _ in node) return false
  return true
}
