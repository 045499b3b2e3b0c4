/** Returns the stored bytes of a value: its name, and padding derived from the name, up to some kilobytes. */
export function padded(name: string): Uint8Array {
  return Buffer.from(`${name} ${padding(name)}`)
}

/** Returns the name of a stored value; another text when any byte was altered. */
export function nameOf(value: Uint8Array): string {
  const text = Buffer.from(value).toString('latin1')
  const space = text.indexOf(' ')
  const name = text.slice(0, space)
  return space > 0 && text.slice(space + 1) === padding(name) ? name : `damaged ${text.slice(0, 60)}`
}

function padding(name: string): string {
  let mixed = 7
  for (const character of name) mixed = (Math.imul(mixed, 31) + character.charCodeAt(0)) >>> 0
  return name.repeat(1 + (mixed % 300)).slice(0, mixed % 3000)
}
