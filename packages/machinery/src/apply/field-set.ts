import { isJsonObject } from '../json/index.ts'
import { canonicalElement, compareElements, type FieldPath, type PathElement } from './path-element.ts'

/**
 * A set of fields, in the form in which FieldsV1 stores it: each step leads to the set of what is inside. A step is in
 * the set itself when what it leads to is empty or holds the mark `.`; otherwise only what is inside is. Sets are never
 * changed: each operation returns a new one that shares what stayed the same, and the same one when nothing changed, so
 * that work follows the size of a change and not that of an object.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet
}

/** The set of nothing; below a step, it says that the step itself is in the set. */
export const emptyFieldSet: FieldSet = Object.freeze({})

/** The set of some paths. */
export function fieldSetOf(...paths: readonly FieldPath[]): FieldSet {
  return paths.map(single).reduce(union, emptyFieldSet)
}

/** Whether there is nothing in a set. */
export function isEmptySet(set: FieldSet): boolean {
  if (crowds.has(set)) return false
  for (const element in set) if (element !== self) return false
  return true
}

/** Remembers that a set holds at least so many steps. */
export function noteSize<Set extends FieldSet>(set: Set, size: number): Set {
  if (size >= crowd) crowds.set(set, size)
  return set
}

/** Whether a path is in a set. */
export function hasPath(set: FieldSet, path: FieldPath): boolean {
  if (path.length === 0) return false
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node[element]
    if (node === undefined) return false
  }
  return isMember(node)
}

/** What is in a set below a step; empty when nothing is. */
export function within(set: FieldSet, element: PathElement): FieldSet {
  return set[element] ?? emptyFieldSet
}

/** Whether a step is itself in a set. */
export function hasElement(set: FieldSet, element: PathElement): boolean {
  const node = set[element]
  return node !== undefined && isMember(node)
}

/** What is in either set. */
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

/** What is in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result: Record<PathElement, FieldSet> = {}
  let size = 0
  for (const element in b) {
    const left = a[element]
    if (left === undefined || element === self) continue
    const right = b[element]!
    const node = nodeOf(isMember(left) && isMember(right), intersection(left, right))
    if (node === undefined) continue
    result[element] = node
    size++
  }
  return noteSize(result, size)
}

/** What is in the first set but not in the second. A step that goes leaves what is inside it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (left, right) => nodeOf(isMember(left) && !isMember(right), difference(left, right)))
}

/** What is in the first set but neither in the second nor inside something that is. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (left, right) =>
    isMember(right) ? undefined : nodeOf(isMember(left), recursiveDifference(left, right)),
  )
}

/** The paths of a set that have none of its paths below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const result: Record<PathElement, FieldSet> = {}
  for (const element in set) {
    if (element !== self) result[element] = isEmptySet(set[element]!) ? emptyFieldSet : leavesOf(set[element]!)
  }
  return noteSize(result, knownSize(set) - 1)
}

/** The paths of a set: at each place first what is itself in it, then what is inside, both in FieldsV1's order. */
export function pathsOf(set: FieldSet): FieldPath[] {
  const paths: FieldPath[] = []
  collectPaths(set, [], paths)
  return paths
}

/** Whether two sets hold the same. */
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

/** Reads FieldsV1. Steps of an unknown kind are left out; throws on what can't be read. */
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
  // Steps that are left out or come twice under other names are rare, and make no crowd.
  return result ?? noteSize(json as unknown as FieldSet, size)
}

/** A set as FieldsV1, with everything in its order; the same object when it was in order. */
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

/** The number of paths in a set. */
export function fieldSetSize(set: FieldSet): number {
  let size = 0
  for (const element in set) {
    if (element === self) continue
    const node = set[element]!
    size += (isMember(node) ? 1 : 0) + fieldSetSize(node)
  }
  return size
}

/** What a step leads to: whether the step itself is in the set, and what inside it is; undefined for nothing at all. */
export function nodeOf(member: boolean, inside: FieldSet): FieldSet | undefined {
  if (isEmptySet(inside)) return member ? (isBare(inside) ? inside : emptyFieldSet) : undefined
  if (member === self in inside) return inside
  if (member) return noteSize({ [self]: emptyFieldSet, ...inside }, knownSize(inside))
  const { [self]: _, ...rest } = inside
  return noteSize(rest, knownSize(inside) - 1)
}

/** Whether the step that leads to a node is itself in the set. */
export function isMember(node: FieldSet): boolean {
  return self in node || isEmptySet(node)
}

const self = '.'

// An object with thousands of properties goes through all of them to say that it has any. Sets that large are remembered
// with the least number of steps that they hold, the mark `.` among them.
const crowds = new WeakMap<FieldSet, number>()
const crowd = 100

function knownSize(set: FieldSet): number {
  return crowds.get(set) ?? 0
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
  let gone = 0
  for (const element in b) {
    const left = a[element]
    if (left === undefined || element === self) continue
    const rest = subtract(left, b[element]!)
    if (rest === left) continue
    result ??= { ...a }
    if (rest === undefined) {
      delete result[element]
      gone++
    } else result[element] = rest
  }
  return result === undefined ? a : noteSize(result, knownSize(a) - gone)
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
  if (crowds.has(node)) return false
  for (const _ in node) return false
  return true
}
