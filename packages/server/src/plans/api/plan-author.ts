import type { KubernetesObject } from '@hykube/machinery/object'
import type { UserInfo } from '../../auth/index.ts'

/** The name of the user who created a plan. Only the server sets it. */
export const authorAnnotation = 'hykube.io/author'

/** The author's uid, groups and extra fields as JSON. While a plan is made, the use of providers is authorized as this user. */
export const authorIdentityAnnotation = 'hykube.io/author-identity'

/** Returns the annotations for a user who creates a plan. */
function annotationsOfAuthor({ name, uid, groups, extra }: UserInfo): Record<string, string> {
  return { [authorAnnotation]: name, [authorIdentityAnnotation]: JSON.stringify({ uid, groups, extra }) }
}

/** Returns these annotations of an existing plan. */
export function authorAnnotations({ metadata }: KubernetesObject): Record<string, string> {
  const { annotations } = metadata ?? {}
  return Object.fromEntries(
    [authorAnnotation, authorIdentityAnnotation].flatMap((name) =>
      annotations?.[name] == null ? [] : [[name, annotations[name]]],
    ),
  )
}

/** Returns the author of a plan. Plans of older servers have no groups. */
export function authorOf(plan: KubernetesObject): UserInfo {
  const { [authorAnnotation]: name = '', [authorIdentityAnnotation]: identity = '{}' } = authorAnnotations(plan)
  return { groups: [], ...(JSON.parse(identity) as Partial<UserInfo>), name }
}

/** An object that carries a user as its author, whatever the client wrote there. */
export function withAuthor(object: KubernetesObject, user: UserInfo): KubernetesObject {
  return withAnnotations(object, annotationsOfAuthor(user))
}

/** An object that carries the author of another one. */
export function withAuthorOf(object: KubernetesObject, other: KubernetesObject): KubernetesObject {
  return withAnnotations(object, authorAnnotations(other))
}

export function withoutAuthor(object: KubernetesObject): KubernetesObject {
  return Object.keys(authorAnnotations(object)).length === 0 ? object : withAnnotations(object, {})
}

/**
 * A Plan with the annotations that only the server writes: those of its author when it is created, and afterwards those that it
 * has. The server approves Plans by the annotations of sync policies, so clients must not write them.
 */
export function withServerAnnotations(
  plan: KubernetesObject,
  old: KubernetesObject | undefined,
  user: UserInfo,
): KubernetesObject {
  const { metadata = {} } = plan
  const given = Object.entries(metadata.annotations ?? {}).filter(([name]) => !syncAnnotations.includes(name))
  const before = old?.metadata?.annotations ?? {}
  const kept = syncAnnotations.flatMap((name) => (before[name] == null ? [] : [[name, before[name]] as const]))
  const cleaned = { ...plan, metadata: { ...metadata, annotations: Object.fromEntries([...given, ...kept]) } }
  return old === undefined ? withAuthor(cleaned, user) : withAuthorOf(cleaned, old)
}

/** Of a Plan that a sync policy made: the policy's uid, the digest of the changes, and how many are started per minute. */
export const policyUidAnnotation = 'hykube.io/sync-policy-uid'
export const digestAnnotation = 'hykube.io/changes-digest'
export const rateAnnotation = 'hykube.io/changes-per-minute'

const syncAnnotations: readonly string[] = [policyUidAnnotation, digestAnnotation, rateAnnotation]

function withAnnotations(object: KubernetesObject, author: Record<string, string>): KubernetesObject {
  const { metadata = {} } = object
  const { [authorAnnotation]: _, [authorIdentityAnnotation]: __, ...others } = metadata.annotations ?? {}
  return { ...object, metadata: { ...metadata, annotations: { ...others, ...author } } }
}
