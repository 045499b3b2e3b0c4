import type { KubernetesObject } from '@hykube/machinery/object'
import type { AdmissionUser } from '../../admission/index.ts'

/** The name of the user who created a plan, as the server saw it. */
export const authorAnnotation = 'hykube.io/author'

/** The author's uid, groups and extra fields as JSON: a plan is authorized again as this user while it is made. */
export const authorIdentityAnnotation = 'hykube.io/author-identity'

/** What a plan carries of the user who creates it. */
export function annotationsOfAuthor({ name, uid, groups, extra }: AdmissionUser): Record<string, string> {
  return { [authorAnnotation]: name, [authorIdentityAnnotation]: JSON.stringify({ uid, groups, extra }) }
}

/** The same of a plan that exists. Only the server writes them. */
export function authorAnnotations({ metadata }: KubernetesObject): Record<string, string> {
  const { annotations } = metadata ?? {}
  return Object.fromEntries(
    [authorAnnotation, authorIdentityAnnotation].flatMap((name) =>
      annotations?.[name] == null ? [] : [[name, annotations[name]]],
    ),
  )
}

/** The author of a plan. A plan of a server that did not record groups has none of them. */
export function authorOf(plan: KubernetesObject): AdmissionUser {
  const { [authorAnnotation]: name = '', [authorIdentityAnnotation]: identity = '{}' } = authorAnnotations(plan)
  return { groups: [], ...(JSON.parse(identity) as Partial<AdmissionUser>), name }
}
