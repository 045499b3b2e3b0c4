/**
 * Compares strings by their UTF-8 bytes, the order in which Kubernetes sorts keys, names and labels. JavaScript compares
 * UTF-16 code units instead, which orders characters above U+FFFF before those from U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return byteRank(left) - byteRank(right)
  }
  return a.length - b.length
}

/** Moves surrogates behind all other code units, because they encode the highest code points. */
function byteRank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit
}
