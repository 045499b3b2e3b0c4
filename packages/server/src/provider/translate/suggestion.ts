/** The name that a writer most likely meant, close to what was written; undefined when none is. */
export function suggestName(written: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let nearest = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const name of names) {
    const distance = isBeginning(written, name) ? 1 : editDistance(plain(written), plain(name), nearest)
    if (distance >= nearest) continue
    best = name
    nearest = distance
  }
  return best
}

// `cidr` for `cidr_block`: names are often remembered by their first word.
function isBeginning(written: string, name: string): boolean {
  return written.length >= 3 && name.startsWith(`${written}_`)
}

// camelCase and dashes are what writers of other Kubernetes objects are used to.
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/** How many letters must be added, removed, changed or swapped with their neighbour; `limit` for that many or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return Math.min(last[b.length]!, limit)
}
