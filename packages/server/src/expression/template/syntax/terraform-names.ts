/** Returns whether a name is one of Terraform's that expressions don't have, such as `var`. */
export function isTerraformName(name: string): boolean {
  return advice.has(name)
}

/** The error for such a name, with the replacement. */
export function terraformNameText(name: string): string {
  return `${name} is not supported: ${advice.get(name)}`
}

const value = 'write the value, or use configmap["NAME"].KEY'

const advice: ReadonlyMap<string, string> = new Map([
  ['var', value],
  ['local', value],
  ['module', 'refer to the resource itself: TYPE.NAME.ATTRIBUTE'],
  ['self', 'refer to another resource: TYPE.NAME.ATTRIBUTE'],
  ['path', 'expressions have no access to files'],
  ['terraform', 'expressions refer to resources, secrets and config maps only'],
])
