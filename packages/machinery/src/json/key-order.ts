/**
 * Compares strings in the order of their UTF-8 bytes, in which Kubernetes sorts keys, names and labels. JavaScript's own
 * order differs where characters beyond the basic plane meet characters from U+E000 on.
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

/** Puts surrogates, which stand for the highest characters, behind everything else. */
function byteRank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit
}
