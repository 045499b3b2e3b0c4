/** A user in Kubernetes' sense. Objects are shared and immutable, so data about a user may be cached by identity. */
export interface UserInfo {
  readonly name: string
  /** Distinguishes users who had the same name at different times. */
  readonly uid?: string
  readonly groups: readonly string[]
  /** Further attributes; keys are in lower case. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Groups and users with a meaning in Kubernetes. */
export const wellKnown = {
  /** May do everything, independent of roles. */
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  anonymous: 'system:anonymous',
  nodes: 'system:nodes',
  serviceAccounts: 'system:serviceaccounts',
} as const

/** Extra key with the id of the credential. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id'

/** User of requests without credentials. */
export const anonymousUser: UserInfo = { name: wellKnown.anonymous, groups: [wellKnown.unauthenticated] }

/** Adds the group system:authenticated, which distinguishes authenticated users from the anonymous one. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const settled = user.groups.some((group) => group === wellKnown.authenticated || group === wellKnown.unauthenticated)
  if (settled || user.name === wellKnown.anonymous) return user
  return { ...user, groups: [...user.groups, wellKnown.authenticated] }
}
