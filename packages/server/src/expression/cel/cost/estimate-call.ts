import type { Overload } from '../check/functions.ts'
import type { Type } from '../check/types.ts'
import type { Expr } from '../syntax/syntax.ts'
import { longestNamePattern, patternFactor, textFactor } from './call-cost.ts'
import {
  either,
  exactly,
  maxValue,
  nothing,
  plus,
  type Range,
  type SizeAt,
  scaled,
  times,
  unknownSize,
} from './estimates.ts'

/** The static knowledge of a receiver or argument. */
export interface EstimatedPart {
  readonly expr: Expr
  readonly type: Type
  readonly path: readonly string[]
  readonly size: Range | undefined
}

/** The estimated cost of a call including its arguments, and the size of its result if known. */
export interface CallEstimate {
  readonly cost: Range
  readonly size?: Range
}

/** Estimates the cost of one overload, by Kubernetes' rules for its libraries and cel-go's for the others. */
export function callEstimate(
  overload: Overload,
  target: EstimatedPart | undefined,
  args: readonly EstimatedPart[],
  argCosts: readonly Range[],
  sizeAt: SizeAt,
): CallEstimate {
  const sum = argCosts.reduce(plus, nothing)
  const own = libraryEstimate(overload, target, args, sizeAt) ?? standardEstimate(overload, target, args)
  if (own !== undefined) return { ...own, cost: plus(own.cost, sum) }
  const [first, second, third] = argCosts
  switch (overload.name) {
    case '_&&_':
    case '_||_':
      return { cost: { min: first!.min, max: plus(first!, second!).max } }
    case '_?_:_':
      return { cost: plus(first!, either(second!, third!)), size: either(sizeOf(args[1]!), sizeOf(args[2]!)) }
    default:
      return { cost: plus(exactly(1), sum) }
  }
}

function standardEstimate(
  { name, parameters }: Overload,
  target: EstimatedPart | undefined,
  args: readonly EstimatedPart[],
): CallEstimate | undefined {
  const [first, second] = args
  const kind = parameters[0]?.kind
  switch (name) {
    case 'format':
      return { cost: text(sizeOf(target!)) }
    case 'bytes':
      return kind === 'string' ? converted(first!, ({ min, max }) => ({ min, max: max * 4 })) : undefined
    case 'string':
      return kind === 'bytes' ? converted(first!, ({ min, max }) => ({ min: Math.floor(min / 4), max })) : undefined
    case 'strings.quote':
      return converted(first!, ({ min, max }) => ({ min: min + 2, max: max * 2 + 2 }))
    case 'startsWith':
    case 'endsWith':
      return { cost: text(sizeOf(first!)) }
    case '@in':
      return parameters[1]?.kind === 'list' ? { cost: scaled(sizeOf(second!), 1) } : undefined
    case 'matches':
      return target === undefined ? undefined : { cost: pattern(sizeOf(target), sizeOf(first!)) }
    case 'contains':
      return { cost: times(text(sizeOf(target!)), text(sizeOf(first!))) }
    case '_+_':
      return sum(kind, sizeOf(first!), sizeOf(second!))
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return kind === 'string' || kind === 'bytes' ? { cost: comparison(first!, second!) } : undefined
    case '_==_':
    case '_!=_':
      return { cost: comparison(first!, second!) }
    default:
      return undefined
  }
}

function libraryEstimate(
  overload: Overload,
  target: EstimatedPart | undefined,
  args: readonly EstimatedPart[],
  sizeAt: SizeAt,
): CallEstimate | undefined {
  const { name, parameters } = overload
  const [first] = args
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return { cost: searching(target!, sizeAt) }
    case 'url':
      return { cost: text(sizeOf(first!)), size: sizeOf(first!) }
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return { cost: text(sizeOf(target!)), size: sizeOf(target!) }
    case 'replace':
      return replacing(sizeOf(target!), sizeOf(first!), sizeOf(args[1]!))
    case 'split':
      return { cost: scaled(sizeOf(target!), 2 * textFactor), size: { min: 0, max: maxParts(target!, args[1]) } }
    case 'join':
      return joining(target!, first, sizeAt)
    case 'find':
    case 'findAll':
      return { cost: pattern(sizeOf(target!), sizeOf(first!)), size: { min: 0, max: sizeOf(target!).max } }
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return { cost: text(sizeOf(first!)) }
    case 'ip':
      return { cost: target === undefined ? text(sizeOf(first!)) : exactly(1) }
    case 'ip.isCanonical':
      return { cost: scaled(sizeOf(first!), 2 * textFactor) }
    case 'containsIP':
      return { cost: plus(containment, parsed(parameters[1], first!)) }
    case 'containsCIDR':
      return { cost: plus(plus(containment, plus(text(addressSize), exactly(1))), parsed(parameters[1], first!)) }
    case 'validate':
      return { cost: scaled(text(sizeOf(first!)), longestNamePattern * patternFactor) }
    case '_==_':
      return ownEquality(args)
    default:
      return undefined
  }
}

const addressSize: Range = { min: 4, max: 16 }
const containment = scaled(plus(addressSize, addressSize), textFactor)

function sizeOf({ size }: EstimatedPart): Range {
  return size ?? unknownSize
}

function text(size: Range): Range {
  return scaled(size, textFactor)
}

function converted(part: EstimatedPart, resized: (size: Range) => Range): CallEstimate {
  const size = sizeOf(part)
  return { cost: text(size), size: resized(size) }
}

function pattern(of: Range, expression: Range): Range {
  return times(scaled(plus(of, exactly(1)), textFactor), scaled(expression, patternFactor))
}

function sum(kind: Type['kind'] | undefined, a: Range, b: Range): CallEstimate | undefined {
  const size = plus(a, b)
  if (kind === 'list') return { cost: exactly(1), size }
  return kind === 'string' || kind === 'bytes' ? { cost: text(size), size } : undefined
}

function comparison(a: EstimatedPart, b: EstimatedPart): Range {
  const max = Math.min(sizeOf(a).max, sizeOf(b).max)
  return text({ min: max > 0 ? 1 : 0, max })
}

function searching(target: EstimatedPart, sizeAt: SizeAt): Range {
  const item = target.type.parameters[0]
  if (item === undefined) return text(sizeOf(target))
  const isText = item.kind === 'string' || item.kind === 'bytes'
  const perItem = isText ? plus(exactly(1), text(itemSize(target, sizeAt))) : exactly(1)
  return times(sizeOf(target), perItem)
}

function itemSize({ path }: EstimatedPart, sizeAt: SizeAt): Range {
  return (path.length === 0 ? undefined : sizeAt([...path, '@items'])) ?? unknownSize
}

// The result is longest if short matches are replaced by long texts, and shortest if few long matches are replaced. An empty
// match occurs before every character and at the end.
function replacing(size: Range, old: Range, by: Range): CallEstimate {
  let maxMatches = 0
  let maxKept = 0
  if (old.min === 0) {
    maxMatches = size.max < maxValue ? size.max + 1 : size.max
    maxKept = size.max
  } else if (by.max <= old.min) maxKept = size.max
  else maxMatches = Math.ceil(size.max / old.min)
  let minMatches = 0
  let minKept = 0
  if (old.max === 0) {
    minMatches = size.min + 1
    minKept = size.min
  } else if (old.max <= by.min) minKept = size.min
  else minMatches = Math.ceil(size.min / old.max)
  const result = plus(times({ min: minMatches, max: maxMatches }, by), { min: minKept, max: maxKept })
  return { cost: scaled(size, 2 * textFactor), size: result }
}

function maxParts(target: EstimatedPart, limit: EstimatedPart | undefined): number {
  if (limit?.expr.kind !== 'literal' || typeof limit.expr.value !== 'bigint') return sizeOf(target).max
  return limit.expr.value < 0n ? maxValue : Number(limit.expr.value)
}

function joining(target: EstimatedPart, separator: EstimatedPart | undefined, sizeAt: SizeAt): CallEstimate {
  const count = sizeOf(target)
  let size = target.type.parameters.length === 0 ? nothing : times(count, itemSize(target, sizeAt))
  if (separator !== undefined) {
    const between = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) }
    size = plus(size, times(sizeOf(separator), between))
  }
  return { cost: text(size), size }
}

function parsed(type: Type | undefined, part: EstimatedPart): Range {
  return type?.kind === 'string' ? text(sizeOf(part)) : nothing
}

// Kubernetes' library types have fixed comparison costs.
function ownEquality([first, second]: readonly EstimatedPart[]): CallEstimate | undefined {
  if (first?.type.name !== second?.type.name) return undefined
  switch (first?.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: exactly(1) }
    case 'kubernetes.NamedFormat':
      return { cost: text({ min: 1, max: 64 }) }
    case 'kubernetes.URL':
      return { cost: text({ min: 1, max: second?.size?.max ?? 1 }) }
    default:
      return undefined
  }
}
