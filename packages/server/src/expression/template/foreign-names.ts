/** Whether a name is one that other configuration languages have, and expressions here have not. */
export function isForeign(name: string): boolean {
  return advice.has(name)
}

/** What to write instead of it. */
export function foreignText(name: string): string {
  return `there is no ${name} here: ${advice.get(name)}`
}

const value = 'write the value, or take it from configmap["NAME"].KEY'

const advice: ReadonlyMap<string, string> = new Map([
  ['var', value],
  ['local', value],
  ['module', 'refer to the resource itself, as TYPE.NAME.ATTRIBUTE'],
  ['self', 'refer to another resource, as TYPE.NAME.ATTRIBUTE'],
  ['path', 'an expression knows no files'],
  ['terraform', 'an expression knows only resources, secrets and config maps'],
])
