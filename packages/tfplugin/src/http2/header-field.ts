/** One header field. Names are lower case. */
export type HeaderField = readonly [name: string, value: string]

/** What a field counts against limits, by the rule of RFC 7541. */
export function sizeOfField([name, value]: HeaderField): number {
  return name.length + value.length + 32
}

/** The value of a field, the first if there are several. */
export function fieldValue(fields: readonly HeaderField[], name: string): string | undefined {
  for (const field of fields) if (field[0] === name) return field[1]
  return undefined
}
