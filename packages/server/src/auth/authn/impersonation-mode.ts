import type { Attributes } from '../authz/attributes.ts'
import { serviceAccountFrom } from '../service-account-name.ts'
import type { UserInfo } from '../user-info.ts'
import { nodeFrom } from './node-name.ts'

/** A mode of impersonation. */
export interface ImpersonationMode {
  /** True when this mode allows the real user to impersonate the wanted one. */
  applies(wanted: UserInfo, real: UserInfo): boolean
  /** Verb that the real user needs. */
  readonly verb: string
  /** API group of users, groups and service accounts in the authorization check. */
  readonly apiGroup: string
  /** Prefix of the verb that the real user needs for the impersonated action. Undefined: every action is allowed. */
  readonly on?: string
  /** Changes the authorization check. Default: unchanged. */
  limit?(asked: Attributes): Attributes
}

/** All modes, constrained ones first; the last is Kubernetes' original one. */
export const impersonationModes: readonly ImpersonationMode[] = [
  {
    ...constrained('associated-node'),
    applies: (wanted, real) => isOnlyName(wanted) && isOnNode(real, wanted.name),
    limit: withoutNode,
  },
  { ...constrained('arbitrary-node'), applies: (wanted) => isOnlyName(wanted) && isNode(wanted.name) },
  { ...constrained('serviceaccount'), applies: (wanted) => isOnlyName(wanted) && isServiceAccount(wanted.name) },
  { ...constrained('user-info'), applies: ({ name }) => !isNode(name) && !isServiceAccount(name) },
  { verb: 'impersonate', apiGroup: '', applies: () => true },
]

function constrained(mode: string): Pick<ImpersonationMode, 'verb' | 'apiGroup' | 'on'> {
  return { verb: `impersonate:${mode}`, apiGroup: 'authentication.k8s.io', on: `impersonate-on:${mode}` }
}

function isOnlyName({ uid, groups, extra }: UserInfo): boolean {
  return uid === undefined && groups.length === 0 && extra === undefined
}

function isNode(name: string): boolean {
  return nodeFrom(name) !== undefined
}

function isServiceAccount(name: string): boolean {
  return serviceAccountFrom(name) !== undefined
}

function isOnNode(real: UserInfo, wanted: string): boolean {
  const [node, ...others] = real.extra?.['authentication.kubernetes.io/node-name'] ?? []
  return isServiceAccount(real.name) && others.length === 0 && node !== undefined && node === nodeFrom(wanted)
}

// The permission to impersonate one's own node covers all nodes, so it is checked without a name.
function withoutNode(asked: Attributes): Attributes {
  const { extra, ...user } = asked.user
  const keys = { 'authentication.kubernetes.io/associated-node-keys': Object.keys(extra ?? {}).sort() }
  const name = asked.verb === 'impersonate:associated-node' ? '*' : asked.name
  return { ...asked, name, user: { ...user, extra: keys } }
}
