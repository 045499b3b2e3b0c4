import { BoundedMap } from '@hykube/machinery/base'
import { quote } from '../go-format.ts'
import type { UserInfo } from '../user-info.ts'
import { type Binding, bindingFrom, describeBinding, subjectKeys, userKeys } from './binding.ts'
import { CompiledRole } from './compiled-role.ts'
import { type PolicyRule, type RbacKind, type RoleRef, rbacGroup, rulesOf } from './policy-rule.ts'

/** Grants of a user by the bindings of one scope. */
export interface Access {
  readonly grants: readonly Grant[]
  /** Errors for bound roles that do not exist. */
  readonly problems: readonly string[]
}

/** A role of a user with its binding. */
export interface Grant {
  readonly role: CompiledRole
  readonly decision: { readonly allowed: true; readonly reason: string }
}

/**
 * Roles and bindings of all logical clusters, indexed for authorization. Its owner calls `put` and `remove` in the
 * order of the store's changes, which take effect at once. Objects are parsed and not kept.
 */
export class RbacIndex {
  readonly #clusters = new Map<string, ClusterRbac>()
  readonly #listeners = new Map<string, Set<() => void>>()

  /** Adds or replaces a role or binding that was written at a revision. The namespace is '' for cluster-scoped kinds. */
  put(cluster: string, kind: RbacKind, namespace: string, name: string, object: unknown, revision = 0): void {
    const rbac = this.#clusters.get(cluster) ?? new ClusterRbac()
    this.#clusters.set(cluster, rbac)
    rbac.scope(kind, namespace).put(kind, namespace, name, object)
    rbac.forgetAccess(kind, namespace)
    this.#changed(cluster, revision)
  }

  /** Removes a role or binding. */
  remove(cluster: string, kind: RbacKind, namespace: string, name: string, revision = 0): void {
    const rbac = this.#clusters.get(cluster)
    rbac?.scope(kind, namespace).remove(kind, name)
    rbac?.forgetAccess(kind, namespace)
    this.#changed(cluster, revision)
  }

  /** Calls a listener after each change in a cluster, until the returned function is called. */
  onChange(cluster: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(cluster) ?? new Set()
    this.#listeners.set(cluster, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(cluster) === listeners) this.#listeners.delete(cluster)
    }
  }

  /** The revision of the last change in a cluster; 0 without any. */
  changedAt(cluster: string): number {
    return this.#clusters.get(cluster)?.changedAt ?? 0
  }

  /** The namespaces that have RoleBindings for a user, in byte order. */
  namespacesOf(cluster: string, user: UserInfo): readonly string[] {
    return this.#clusters.get(cluster)?.namespacesOf(user) ?? []
  }

  #changed(cluster: string, revision: number): void {
    const rbac = this.#clusters.get(cluster)
    if (rbac !== undefined) rbac.changedAt = Math.max(rbac.changedAt, revision)
    for (const listener of this.#listeners.get(cluster) ?? []) listener()
  }

  /** Removes a logical cluster; it can be added again. */
  drop(cluster: string): void {
    this.#clusters.delete(cluster)
  }

  /** Grants of a user in the whole cluster, by ClusterRoleBindings. Cached until a change may affect it. */
  clusterAccess(cluster: string, user: UserInfo, key: string): Access {
    return this.#clusters.get(cluster)?.access('', user, key) ?? nothing
  }

  /** Grants of a user in one namespace, by its RoleBindings. */
  namespaceAccess(cluster: string, namespace: string, user: UserInfo, key: string): Access {
    return this.#clusters.get(cluster)?.access(namespace, user, key) ?? nothing
  }

  /**
   * Rules of the role that a binding in this namespace ('' for a ClusterRoleBinding) refers to; undefined when it does
   * not exist.
   */
  rulesOf(cluster: string, roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#clusters.get(cluster)?.role(roleRef, namespace)?.rules
  }
}

const nothing: Access = { grants: [], problems: [] }

// Bounds the cache: impersonation can create any number of users.
const maximumUsers = 10_000

class ClusterRbac {
  changedAt = 0
  readonly #cluster = new Scope()
  readonly #namespaces = new Map<string, Scope>()

  scope(kind: RbacKind, namespace: string): Scope {
    if (kind === 'ClusterRole' || kind === 'ClusterRoleBinding') return this.#cluster
    const scope = this.#namespaces.get(namespace) ?? new Scope()
    this.#namespaces.set(namespace, scope)
    return scope
  }

  // A ClusterRole can be bound in any namespace; other kinds affect only their own scope.
  forgetAccess(kind: RbacKind, namespace: string): void {
    const scope = this.scope(kind, namespace)
    scope.access.clear()
    if (kind === 'ClusterRole') for (const other of this.#namespaces.values()) other.access.clear()
    if (scope !== this.#cluster && scope.isEmpty) this.#namespaces.delete(namespace)
  }

  access(namespace: string, user: UserInfo, key: string): Access {
    const scope = namespace === '' ? this.#cluster : this.#namespaces.get(namespace)
    if (scope === undefined) return nothing
    const known = scope.access.get(key)
    if (known !== undefined) return known
    const access = this.#accessOf(scope.bindingsOf(user), namespace, user)
    scope.access.set(key, access)
    return access
  }

  namespacesOf(user: UserInfo): readonly string[] {
    return [...this.#namespaces].flatMap(([name, scope]) => (scope.bindingsOf(user).length > 0 ? [name] : [])).sort()
  }

  role({ kind, name }: RoleRef, namespace: string): CompiledRole | undefined {
    if (kind === 'ClusterRole') return this.#cluster.roles.get(name)
    return kind === 'Role' ? this.#namespaces.get(namespace)?.roles.get(name) : undefined
  }

  #accessOf(bindings: readonly Binding[], namespace: string, user: UserInfo): Access {
    const grants: Grant[] = []
    const problems: string[] = []
    for (const binding of bindings) {
      const role = this.role(binding.roleRef, namespace)
      if (role === undefined) problems.push(missing(binding.roleRef))
      else
        grants.push({
          role,
          decision: { allowed: true, reason: `RBAC: allowed by ${describeBinding(binding, user)}` },
        })
    }
    return { grants, problems }
  }
}

/** Roles and bindings of one namespace, or cluster-scoped ones. */
class Scope {
  readonly roles = new Map<string, CompiledRole>()
  readonly access = new BoundedMap<string, Access>(maximumUsers)
  readonly #bindings = new Map<string, Binding>()
  readonly #bySubject = new Map<string, Set<Binding>>()

  get isEmpty(): boolean {
    return this.roles.size === 0 && this.#bindings.size === 0
  }

  put(kind: RbacKind, namespace: string, name: string, object: unknown): void {
    if (isRole(kind)) {
      this.roles.set(name, new CompiledRole(rulesOf(object)))
      return
    }
    this.#unbind(name)
    const binding = bindingFrom(namespace, name, object)
    this.#bindings.set(name, binding)
    for (const key of subjectKeys(binding)) {
      const others = this.#bySubject.get(key)
      if (others === undefined) this.#bySubject.set(key, new Set([binding]))
      else others.add(binding)
    }
  }

  remove(kind: RbacKind, name: string): void {
    if (isRole(kind)) this.roles.delete(name)
    else this.#unbind(name)
  }

  bindingsOf(user: UserInfo): readonly Binding[] {
    const found = new Set(userKeys(user).flatMap((key) => [...(this.#bySubject.get(key) ?? [])]))
    return [...found].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  #unbind(name: string): void {
    const binding = this.#bindings.get(name)
    if (binding === undefined) return
    this.#bindings.delete(name)
    for (const key of subjectKeys(binding)) {
      const others = this.#bySubject.get(key)
      others?.delete(binding)
      if (others?.size === 0) this.#bySubject.delete(key)
    }
  }
}

function isRole(kind: RbacKind): boolean {
  return kind === 'Role' || kind === 'ClusterRole'
}

function missing({ kind, name }: RoleRef): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${quote(kind)}`
  return `${kind.toLowerCase()}.${rbacGroup} ${quote(name)} not found`
}
