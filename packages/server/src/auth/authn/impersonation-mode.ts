import type { Attributes } from '../authz/attributes.ts'
import { serviceAccountFrom } from '../service-account-name.ts'
import type { UserInfo } from '../user-info.ts'
import { nodeFrom } from './node-name.ts'

/** One way to be somebody else. */
export interface ImpersonationMode {
  /** Whether this way can lead the real user to the wanted one at all. */
  applies(wanted: UserInfo, real: UserInfo): boolean
  /** The verb by which somebody may be somebody. */
  readonly verb: string
  /** The group of users, groups and service accounts in such questions. */
  readonly apiGroup: string
  /** Together with the request's own verb: what may be done while being somebody. Undefined: anything. */
  readonly on?: string
  /** The question as it is really asked. Default: as it is. */
  limit?(asked: Attributes): Attributes
}

/** All modes, the narrow ones first; the last is the one that Kubernetes always had. */
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

// The right to be one's own node is one right for all nodes, so it is asked without naming any.
function withoutNode(asked: Attributes): Attributes {
  const { extra, ...user } = asked.user
  const keys = { 'authentication.kubernetes.io/associated-node-keys': Object.keys(extra ?? {}).sort() }
  const name = asked.verb === 'impersonate:associated-node' ? '*' : asked.name
  return { ...asked, name, user: { ...user, extra: keys } }
}
