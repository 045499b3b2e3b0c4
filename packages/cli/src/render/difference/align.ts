/** A pair of indices in two lists; undefined where an element has no partner. */
export type Pair = readonly [before: number | undefined, after: number | undefined]

/**
 * Pairs two lists by their longest common subsequence; other elements were removed or added. A removed and an added element
 * at the same place are a pair too, if `isSameElement` returns true.
 */
export function align(
  before: readonly string[],
  after: readonly string[],
  isSameElement: (before: number, after: number) => boolean,
): Pair[] {
  const pairs: Pair[] = []
  let left = 0
  let right = 0
  for (const [nextLeft, nextRight] of [...commonPairs(before, after), [before.length, after.length] as const]) {
    while (left < nextLeft)
      if (right < nextRight && isSameElement(left, right)) pairs.push([left++, right++])
      else pairs.push([left++, undefined])
    while (right < nextRight) pairs.push([undefined, right++])
    if (left < before.length && right < after.length) pairs.push([left++, right++])
  }
  return pairs
}

// The size limit of the table. Longer lists between equal ends are treated as changed completely.
const largestTable = 4_000_000

function commonPairs(before: readonly string[], after: readonly string[]): [number, number][] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const head = Array.from({ length: start }, (_, index): [number, number] => [index, index])
  const tail = Array.from({ length: end }, (_, index): [number, number] => [
    before.length - end + index,
    after.length - end + index,
  ])
  const middle = middlePairs(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return [...head, ...middle.map(([left, right]): [number, number] => [left + start, right + start]), ...tail]
}

function middlePairs(before: readonly string[], after: readonly string[]): [number, number][] {
  if (before.length * after.length > largestTable) return []
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let left = before.length - 1; left >= 0; left--)
    for (let right = after.length - 1; right >= 0; right--)
      lengths[left * width + right] =
        before[left] === after[right]
          ? lengths[(left + 1) * width + right + 1]! + 1
          : Math.max(lengths[(left + 1) * width + right]!, lengths[left * width + right + 1]!)
  const pairs: [number, number][] = []
  for (let left = 0, right = 0; left < before.length && right < after.length; )
    if (before[left] === after[right]) pairs.push([left++, right++])
    else if (lengths[(left + 1) * width + right]! >= lengths[left * width + right + 1]!) left++
    else right++
  return pairs
}
