import { badRequest } from '@hykube/machinery/status'
import { type Attributes, resourceAttributes } from '../authz/attributes.ts'
import type { Authorizer } from '../authz/authorizer.ts'
import { forbiddenError } from '../authz/forbidden.ts'
import { quote } from '../go-format.ts'
import { serviceAccountFrom, serviceAccountGroups } from '../service-account-name.ts'
import { type UserInfo, wellKnown } from '../user-info.ts'
import type { AuthenticationRequest } from './authenticator.ts'
import { type ImpersonationMode, impersonationModes } from './impersonation-mode.ts'
import { nodeFrom } from './node-name.ts'

/**
 * Returns the user of the `Impersonate-…` headers, or undefined without them. Throws 400 for headers without a user.
 */
export function wantedUser(request: Pick<AuthenticationRequest, 'header' | 'headerNames'>): UserInfo | undefined {
  const extra = wantedExtra(request)
  const [name = ''] = request.header('impersonate-user')
  const [uid = ''] = request.header('impersonate-uid')
  const groups = request.header('impersonate-group')
  if (name === '') {
    if (uid === '' && groups.length === 0 && extra === undefined) return undefined
    throw badRequest(`requested ${describe(uid, groups, extra)} without impersonating a user name`)
  }
  return { name, groups, ...(uid === '' ? {} : { uid }), ...(extra === undefined ? {} : { extra }) }
}

/**
 * Checks that the authenticated user may impersonate the wanted one, by a constrained mode (which also checks the
 * action of the request) or by the verb `impersonate`. Returns the impersonated user; throws 403. `attributes` are
 * those of the request with the authenticated user.
 */
export function impersonate(wanted: UserInfo, attributes: Attributes, authorizer: Authorizer): UserInfo {
  let first: unknown
  for (const mode of impersonationModes) {
    if (!mode.applies(wanted, attributes.user)) continue
    try {
      return impersonateBy(mode, wanted, attributes, authorizer)
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

const extraPrefix = 'impersonate-extra-'

function wantedExtra(request: Pick<AuthenticationRequest, 'header' | 'headerNames'>): UserInfo['extra'] {
  let extra: Record<string, string[]> | undefined
  for (const header of request.headerNames()) {
    if (!header.startsWith(extraPrefix)) continue
    extra ??= Object.create(null) as Record<string, string[]>
    const key = decoded(header.slice(extraPrefix.length))
    extra[key] = [...(extra[key] ?? []), ...request.header(header)]
  }
  return extra
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function impersonateBy(
  mode: ImpersonationMode,
  wanted: UserInfo,
  attributes: Attributes,
  authorizer: Authorizer,
): UserInfo {
  const check = (asked: Attributes) => {
    const limited = mode.limit?.(asked) ?? asked
    const { allowed, reason } = authorizer.authorize(limited)
    if (!allowed) throw forbiddenError(limited, reason)
  }
  const { user, cluster } = attributes
  const ask = (what: Pick<Attributes, 'resource' | 'name'> & Partial<Attributes>) =>
    resourceAttributes({ user, cluster, verb: mode.verb, apiVersion: 'v1', ...what })
  if (mode.on !== undefined) check({ ...attributes, verb: `${mode.on}:${attributes.verb}` })
  check(ask({ apiGroup: mode.apiGroup, ...whoIs(mode, wanted) }))
  if (wanted.uid !== undefined) check(ask({ apiGroup: authenticationGroup, resource: 'uids', name: wanted.uid }))
  refuseMasters(mode, wanted, ask({ apiGroup: mode.apiGroup, resource: 'groups', name: wellKnown.masters }))
  for (const name of wanted.groups) check(ask({ apiGroup: mode.apiGroup, resource: 'groups', name }))
  refuseExtra(mode, wanted, ask({ apiGroup: authenticationGroup, resource: 'userextras', name: '' }))
  for (const [subresource, values] of Object.entries(wanted.extra ?? {}))
    for (const name of values) check(ask({ apiGroup: authenticationGroup, resource: 'userextras', subresource, name }))
  return complete(mode, wanted)
}

const authenticationGroup = 'authentication.k8s.io'

function whoIs(mode: ImpersonationMode, { name }: UserInfo): Pick<Attributes, 'resource' | 'name' | 'namespace'> {
  const account = serviceAccountFrom(name)
  if (account !== undefined) return { resource: 'serviceaccounts', ...account }
  const node = mode.on === undefined ? undefined : nodeFrom(name)
  return node === undefined
    ? { resource: 'users', name, namespace: '' }
    : { resource: 'nodes', name: node, namespace: '' }
}

// Only the original verb `impersonate` allows the group system:masters.
function refuseMasters(mode: ImpersonationMode, wanted: UserInfo, asked: Attributes): void {
  if (mode.on === undefined) return
  if (wanted.groups.includes('')) throw forbiddenError(asked, 'impersonating the empty string group is not allowed')
  if (wanted.groups.includes(wellKnown.masters))
    throw forbiddenError(asked, 'impersonating the system:masters group is not allowed')
}

// Only the original verb `impersonate` allows arbitrary extra keys and values.
function refuseExtra(mode: ImpersonationMode, { extra = {} }: UserInfo, asked: Attributes): void {
  if (mode.on === undefined) return
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') throw forbiddenError(asked, 'impersonating the empty string key in extra is not allowed')
    if (!extraKey.test(key))
      throw forbiddenError(asked, `impersonating an invalid key in extra is not allowed: ${quote(key)}`)
    if (values.includes('')) throw forbiddenError(asked, 'impersonating the empty string value in extra is not allowed')
  }
}

// A domain and a path in lower case.
const extraKey = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[a-z0-9/._-]+$/

function complete(mode: ImpersonationMode, wanted: UserInfo): UserInfo {
  const groups = wanted.groups.length > 0 ? wanted.groups : ownGroups(mode, wanted.name)
  const settled = wanted.name === wellKnown.anonymous ? wellKnown.unauthenticated : wellKnown.authenticated
  const isSettled = groups.includes(settled) || groups.includes(wellKnown.unauthenticated)
  return { ...wanted, groups: isSettled ? groups : [...groups, settled] }
}

function ownGroups(mode: ImpersonationMode, name: string): readonly string[] {
  const account = serviceAccountFrom(name)
  if (account !== undefined) return serviceAccountGroups(account.namespace)
  return mode.on !== undefined && nodeFrom(name) !== undefined ? [wellKnown.nodes] : []
}

// Formats the value as Go does, which is kube-apiserver's message.
function describe(uid: string, groups: readonly string[], extra: UserInfo['extra']): string {
  const list = groups.length === 0 ? '[]string(nil)' : `[]string{${groups.map(quote).join(', ')}}`
  const entries = Object.entries(extra ?? {}).map(
    ([key, values]) => `${quote(key)}:[]string{${values.map(quote).join(', ')}}`,
  )
  const map = extra === undefined ? '(nil)' : `{${entries.join(', ')}}`
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${list}, Extra:map[string][]string${map}}`
}
