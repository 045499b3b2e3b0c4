import type { RbacIndex, RbacKind } from '../auth/index.ts'
import {
  decodeObject,
  type ObjectStore,
  type ObservedChange,
  objectFromKey,
  objectRange,
  type WatchHub,
} from '../resource/index.ts'

const rbacKinds: ReadonlyMap<string, RbacKind> = new Map([
  ['roles', 'Role'],
  ['clusterroles', 'ClusterRole'],
  ['rolebindings', 'RoleBinding'],
  ['clusterrolebindings', 'ClusterRoleBinding'],
])

const group = 'rbac.authorization.k8s.io'

/** Loads roles and bindings into the RBAC index and watches them. */
export async function feedRbac(index: RbacIndex, objects: ObjectStore, hub: WatchHub): Promise<void> {
  hub.listen((changes) => {
    for (const change of changes) if (change.place.group === group) follow(index, change)
  })
  for (const [resource, kind] of rbacKinds) await fill(index, objects, resource, kind)
}

function follow(index: RbacIndex, change: ObservedChange): void {
  const { cluster, resource, namespace, name } = change.place
  const kind = rbacKinds.get(resource)
  if (kind === undefined) return
  if (change.kind === 'put') index.put(cluster, kind, namespace, name, change.object, change.revision)
  else index.remove(cluster, kind, namespace, name, change.revision)
}

async function fill(index: RbacIndex, objects: ObjectStore, resource: string, kind: RbacKind): Promise<void> {
  const range = objectRange({ group, resource })
  for await (const entries of objects.pages(range)) {
    for (const { key, value, revision } of entries) {
      const { cluster, namespace, name } = objectFromKey(key)
      index.put(cluster, kind, namespace, name, decodeObject(value), revision)
    }
  }
}
