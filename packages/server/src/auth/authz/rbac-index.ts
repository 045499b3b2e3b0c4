import { quote } from '../go-format.ts'
import type { UserInfo } from '../user-info.ts'
import { type Binding, bindingFrom, describeBinding, subjectKeys, userKeys } from './binding.ts'
import { CompiledRole } from './compiled-role.ts'
import { type PolicyRule, type RbacKind, type RoleRef, rbacGroup, rulesOf } from './policy-rule.ts'

/** What a user has by bindings of one scope. */
export interface Access {
  readonly grants: readonly Grant[]
  /** Roles that are bound and don't exist, in words. */
  readonly problems: readonly string[]
}

/** A role that a user has, and by what. */
export interface Grant {
  readonly role: CompiledRole
  readonly decision: { readonly allowed: true; readonly reason: string }
}

/**
 * Roles and bindings of all logical clusters, arranged for questions. Whoever keeps it current calls `put` and `remove` in
 * the order of the store's changes; every call counts from then on. It reads objects at once and keeps none of them.
 */
export class RbacIndex {
  readonly #clusters = new Map<string, ClusterRbac>()

  /** A role or binding was created or changed. The namespace is '' for cluster kinds. */
  put(cluster: string, kind: RbacKind, namespace: string, name: string, object: unknown): void {
    const rbac = this.#clusters.get(cluster) ?? new ClusterRbac()
    this.#clusters.set(cluster, rbac)
    rbac.scope(kind, namespace).put(kind, namespace, name, object)
    rbac.forgetAccess(kind, namespace)
  }

  /** A role or binding is gone. */
  remove(cluster: string, kind: RbacKind, namespace: string, name: string): void {
    const rbac = this.#clusters.get(cluster)
    rbac?.scope(kind, namespace).remove(kind, name)
    rbac?.forgetAccess(kind, namespace)
  }

  /** A logical cluster is gone, or idle and to be put again when somebody asks. */
  drop(cluster: string): void {
    this.#clusters.delete(cluster)
  }

  /** What a user has in the whole cluster, by ClusterRoleBindings. Kept until a change could make it wrong. */
  clusterAccess(cluster: string, user: UserInfo, key: string): Access {
    return this.#clusters.get(cluster)?.access('', user, key) ?? nothing
  }

  /** What a user has in one namespace, by its RoleBindings. */
  namespaceAccess(cluster: string, namespace: string, user: UserInfo, key: string): Access {
    return this.#clusters.get(cluster)?.access(namespace, user, key) ?? nothing
  }

  /** The rules of the role that a binding in this namespace ('' for a ClusterRoleBinding) refers to; undefined without it. */
  rulesOf(cluster: string, roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#clusters.get(cluster)?.role(roleRef, namespace)?.rules
  }
}

const nothing: Access = { grants: [], problems: [] }

// Users come and go (impersonation makes new ones at will), so what is kept of them is bounded.
const maximumUsers = 10_000

class ClusterRbac {
  readonly #cluster = new Scope()
  readonly #namespaces = new Map<string, Scope>()

  scope(kind: RbacKind, namespace: string): Scope {
    if (kind === 'ClusterRole' || kind === 'ClusterRoleBinding') return this.#cluster
    const scope = this.#namespaces.get(namespace) ?? new Scope()
    this.#namespaces.set(namespace, scope)
    return scope
  }

  // A ClusterRole may be bound anywhere; everything else counts in its own scope.
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
    if (scope.access.size >= maximumUsers) scope.access.clear()
    scope.access.set(key, access)
    return access
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

/** The roles and bindings of one namespace, or those of the cluster. */
class Scope {
  readonly roles = new Map<string, CompiledRole>()
  readonly access = new Map<string, Access>()
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
