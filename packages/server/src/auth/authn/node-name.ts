const prefix = 'system:node:'
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Returns the node name of a node's user name, or undefined. */
export function nodeFrom(userName: string): string | undefined {
  if (!userName.startsWith(prefix)) return undefined
  const name = userName.slice(prefix.length)
  return name.length <= 253 && subdomain.test(name) ? name : undefined
}
