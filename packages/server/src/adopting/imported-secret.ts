import { Buffer } from 'node:buffer'
import type { KubernetesObject } from '@hykube/machinery/object'
import { resourceAttributes } from '../auth/index.ts'
import {
  type Api,
  createObject,
  managedByUpdate,
  type RequestContext,
  type Target,
  updateObject,
  writeOptionsFrom,
} from '../http/index.ts'
import type { ResourceKind, ResourceRef } from '../model/index.ts'

/** Returns the name of the Secret for an imported object's sensitive values; undefined when the user may not write that Secret. */
export function importedSecretName(
  { authorizer }: Api,
  { user }: RequestContext,
  { cluster, namespace, name: own }: ResourceRef,
  { type }: ResourceKind,
): string | undefined {
  const name = `${own}.${type.replaceAll('_', '-')}`
  const isAllowed = ['create', 'get', 'update'].every((verb) => {
    const wanted = { user, cluster, verb, apiGroup: '', resource: 'secrets', subresource: '', namespace, name }
    return authorizer.authorize(resourceAttributes(wanted)).allowed
  })
  return isAllowed ? name : undefined
}

/** Writes values into the Secret and keeps those of earlier requests: a large object is imported in several requests. */
export async function writeImportedSecret(
  api: Api,
  context: RequestContext,
  { cluster, namespace }: ResourceRef,
  name: string,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  const type = api.types.find(cluster, '', 'v1', 'secrets')!
  const target: Target = {
    type,
    resource: type.storage,
    place: { cluster, namespace, name },
    allClusters: false,
    typeIn: () => type,
  }
  const data = Object.fromEntries([...values].map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
  const exists = (await api.objects.get(target.resource, target.place)) !== undefined
  const options = writeOptionsFrom(context, exists ? 'UpdateOptions' : 'CreateOptions')
  const manage = managedByUpdate(api, context, target, options.manager, '')
  if (exists) {
    const change = (current: KubernetesObject) => ({ ...current, data: { ...(current.data as object), ...data } })
    await updateObject(api, context, target, { subresource: '', options, change, manage })
    return
  }
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', data }
  await createObject(api, context, target, object as KubernetesObject, options, (filled) => manage(filled, undefined))
}
