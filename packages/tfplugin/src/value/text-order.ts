/** Compares strings by code point, which is the order of their UTF-8 bytes; JavaScript's `<` compares UTF-16 units. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return surrogateLast(x) - surrogateLast(y)
  }
  return a.length - b.length
}

/**
 * Returns an object's member names in that order. Most objects are ordered already, and checking costs less than
 * sorting.
 */
export function namesInOrder(object: object): readonly string[] {
  const names = Object.keys(object)
  for (let at = 1; at < names.length; at++)
    if (byCodePoint(names[at - 1]!, names[at]!) > 0) return names.sort(byCodePoint)
  return names
}

// Surrogates encode code points above the basic plane, so they sort after U+E000 to U+FFFF.
function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
