/** Who asks, as Kubernetes sees them. Objects are shared and never changed: what is known of a user may be kept by identity. */
export interface UserInfo {
  readonly name: string
  /** Tells apart two users that had the same name one after the other. */
  readonly uid?: string
  readonly groups: readonly string[]
  /** Further facts by lower-case key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The groups and users that Kubernetes gives a meaning. */
export const wellKnown = {
  /** May do everything, whatever roles say. */
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  anonymous: 'system:anonymous',
  nodes: 'system:nodes',
  serviceAccounts: 'system:serviceaccounts',
} as const

/** The extra key that says which credential was used. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id'

/** Whoever shows no credentials. */
export const anonymousUser: UserInfo = { name: wellKnown.anonymous, groups: [wellKnown.unauthenticated] }

/** The user with the group of all who showed who they are; it is told apart from the anonymous one by that alone. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const settled = user.groups.some((group) => group === wellKnown.authenticated || group === wellKnown.unauthenticated)
  if (settled || user.name === wellKnown.anonymous) return user
  return { ...user, groups: [...user.groups, wellKnown.authenticated] }
}
