import type { KubernetesObject } from '@hykube/machinery/object'
import type { View } from '@hykube/machinery/resource-type'
import { notFound } from '@hykube/machinery/status'
import { forbiddenError, resourceAttributes, type UserInfo } from '../../auth/index.ts'
import { decodeObject } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import { resourceNameOf, type Target } from '../target.ts'

/**
 * The row of a name. The user needs `get` on the object itself; without it the answer is 403 before the object is looked
 * for, so that it does not tell whether the object exists.
 */
export async function getRow(
  { objects, authorizer }: Pick<Api, 'objects' | 'authorizer'>,
  user: UserInfo,
  { type, place }: Target,
  view: View,
): Promise<KubernetesObject> {
  const { cluster, namespace } = place
  const source = view.sourceOf(cluster, place.name)
  if (source === undefined) throw notFound(resourceNameOf({ type }), place.name)
  const { group, resource, name } = source
  const attributes = resourceAttributes({ user, verb: 'get', cluster, apiGroup: group, resource, namespace, name })
  const { allowed, reason } = authorizer.authorize(attributes)
  if (!allowed) throw forbiddenError(attributes, reason)
  const stored = await objects.get(source, { cluster, namespace, name })
  const rows = view.rowsOf(cluster, group, resource)
  if (stored === undefined || rows === undefined) throw notFound(resourceNameOf({ type }), place.name)
  return rows.row(decodeObject(stored.bytes))
}
