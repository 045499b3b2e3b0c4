const prefix = 'system:node:'
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The node a user name stands for; undefined for any other user. */
export function nodeFrom(userName: string): string | undefined {
  if (!userName.startsWith(prefix)) return undefined
  const name = userName.slice(prefix.length)
  return name.length <= 253 && subdomain.test(name) ? name : undefined
}
