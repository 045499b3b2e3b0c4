/** Splits a JSON pointer (RFC 6901) into its keys: `/a~1b/0` into `a/b` and `0`. Undefined when it is not a pointer. */
export function keysOfPointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Converts a key to a list index; a negative one counts from the end. Throws when it is not an index of the list. */
export function indexFromKey(key: string, length: number): number {
  if (!/^-?(?:0|[1-9]\d*)$/.test(key)) throw new Error(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`)
  const index = Number(key)
  if (index >= length || index < -length) throw new Error(`Unable to access invalid index: ${key}: invalid index`)
  return index < 0 ? index + length : index
}
