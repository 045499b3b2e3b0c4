/** Compares texts by their UTF-8 bytes, which is the order of code points and not that of UTF-16 units. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return surrogateLast(x) - surrogateLast(y)
  }
  return a.length - b.length
}

/** The names of an object's members in that order. Most have it already: to see that costs less than to sort them. */
export function namesInOrder(object: object): readonly string[] {
  const names = Object.keys(object)
  for (let at = 1; at < names.length; at++)
    if (byCodePoint(names[at - 1]!, names[at]!) > 0) return names.sort(byCodePoint)
  return names
}

function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
