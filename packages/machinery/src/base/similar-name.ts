/** The known name that is most similar to a misspelled one; undefined if none is similar enough. */
export function similarName(written: string, names: Iterable<string>): string | undefined {
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

// `cidr` suggests `cidr_block`: a prefix that ends at a word counts as one edit.
function isBeginning(written: string, name: string): boolean {
  return written.length >= 3 && name.startsWith(`${written}_`)
}

// Ignores case, dashes and underscores, because Kubernetes users write camelCase.
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

/** The Damerau-Levenshtein distance (insert, delete, substitute, swap neighbours), capped at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  // The second condition bounds the quadratic time for names from requests.
  if (Math.abs(a.length - b.length) >= limit || a.length > 200) return limit
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
