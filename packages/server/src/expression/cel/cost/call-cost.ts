import type { Overload } from '../check/functions.ts'
import { codePoints } from '../evaluate/standard.ts'
import { LibraryValue, Optional, StructValue } from '../evaluate/values.ts'

// The costs are those of cel-go and of Kubernetes' libraries (staging/src/k8s.io/apiserver/pkg/cel/library/cost.go), so that
// a rule exceeds its budget here exactly when it does in kube-apiserver.

/** The cost of one traversal of a string, for each character. */
export const textFactor = 0.1

/** The cost of a regular expression, for each character of the pattern and cost unit of the string. */
export const patternFactor = 0.25

/** The cost of creating a list. */
export const listCost = 10

/** The cost of creating a map. */
export const mapCost = 30

/** The cost of creating a message. */
export const messageCost = 40

/**
 * The actual cost of a call. `overload` is undefined if the checker could not choose one; cel-go's cost tracker then can't
 * identify some functions and charges less for them, which is reproduced here.
 */
export function callCost(
  name: string,
  overload: Overload | undefined,
  args: readonly unknown[],
  result: unknown,
): number {
  const [first, second] = args
  const cost = libraryCost(name, overload, args, result)
  if (cost !== undefined) return cost
  const kind = overload?.parameters[0]?.kind
  switch (name) {
    case 'startsWith':
    case 'endsWith':
    case 'strings.quote':
    case 'format':
      return overload === undefined ? 1 : textCost(first)
    case 'bytes':
      return kind === 'string' ? textCost(first) : 1
    case 'string':
      return kind === 'bytes' ? textCost(first) : 1
    case '@in':
      return overload?.parameters[1]?.kind === 'list' ? sizeOf(second) : 1
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return kind === 'string' || kind === 'bytes' ? comparisonCost(first, second) : 1
    case '_==_':
    case '_!=_':
      return comparisonCost(first, second)
    case '_+_':
      return kind === 'string' || kind === 'bytes' ? Math.ceil((sizeOf(first) + sizeOf(second)) * textFactor) : 1
    case 'matches':
      return overload?.isMethod === true ? patternCost(first, second) : 1
    case 'contains':
      return overload === undefined ? 1 : textCost(first) * textCost(second)
    default:
      return 1
  }
}

/** The size of a value: its number of characters, bytes, items or keys. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return codePoints(value)
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length
  if (value instanceof Map || value instanceof StructValue || value instanceof LibraryValue) return value.size
  return value instanceof Optional && value.hasValue() ? sizeOf(value.value()) : 1
}

// Kubernetes' cost function goes by name, so it also applies to standard functions with the name of a library function.
function libraryCost(
  name: string,
  overload: Overload | undefined,
  [first, second]: readonly unknown[],
  result: unknown,
): number | undefined {
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return traversalCost(first)
    case 'url':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return textCost(first)
    case 'ip':
      return overload?.isMethod === true ? 1 : textCost(first)
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return Math.ceil(sizeOf(first) * 2 * textFactor)
    case 'join':
      return Math.ceil(sizeOf(result) * 2 * textFactor)
    case 'find':
    case 'findAll':
      return patternCost(first, second)
    case 'containsIP':
      return containmentCost(first) + parsedCost(overload, second)
    case 'containsCIDR':
      return containmentCost(first) + textCost(first) + 1 + parsedCost(overload, second)
    case 'validate':
      return Math.ceil((1 + sizeOf(second)) * textFactor) * Math.ceil(longestNamePattern * patternFactor)
    case '_==_':
      return first instanceof LibraryValue ? 1 : undefined
    default:
      return undefined
  }
}

/** Kubernetes' assumed maximum length of the pattern of a named format. */
export const longestNamePattern = 128

function textCost(value: unknown): number {
  return Math.ceil(sizeOf(value) * textFactor)
}

function comparisonCost(a: unknown, b: unknown): number {
  return Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * textFactor)
}

function patternCost(text: unknown, pattern: unknown): number {
  return Math.ceil((1 + sizeOf(text)) * textFactor) * Math.ceil(sizeOf(pattern) * patternFactor)
}

function containmentCost(network: unknown): number {
  return Math.ceil(sizeOf(network) * 2 * textFactor)
}

function parsedCost(overload: Overload | undefined, other: unknown): number {
  return overload?.parameters[1]?.kind === 'string' ? textCost(other) : 0
}

function traversalCost(value: unknown): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * textFactor)
  if (value instanceof Uint8Array) return Math.trunc(value.length * textFactor)
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + traversalCost(item), 0)
  if (!(value instanceof Map)) return 1
  let cost = 0
  for (const [key, item] of value) cost += traversalCost(key) + traversalCost(item)
  return cost
}
