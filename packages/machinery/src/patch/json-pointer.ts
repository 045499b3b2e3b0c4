/** The keys of a JSON pointer (RFC 6901): `/a~1b/0` leads to `a/b` and there to `0`. Undefined when it is none. */
export function keysOfPointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The place in a list that a key stands for; throws when it stands for none. Negative ones count from the end. */
export function indexFromKey(key: string, length: number): number {
  if (!/^-?(?:0|[1-9]\d*)$/.test(key)) throw new Error(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`)
  const index = Number(key)
  if (index >= length || index < -length) throw new Error(`Unable to access invalid index: ${key}: invalid index`)
  return index < 0 ? index + length : index
}
