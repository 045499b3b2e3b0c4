/** A header field; names are lower case, as HTTP/2 requires. */
export type HeaderField = readonly [name: string, value: string]

/** Size of a field as RFC 7541, section 4.1 counts it: name, value and an overhead of 32 bytes. */
export function sizeOfField([name, value]: HeaderField): number {
  return name.length + value.length + 32
}

/** Returns the value of the first field with this name. */
export function fieldValue(fields: readonly HeaderField[], name: string): string | undefined {
  for (const field of fields) if (field[0] === name) return field[1]
  return undefined
}
