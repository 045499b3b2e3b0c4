import type { View } from '@hykube/machinery/resource-type'
import type { Authorizer, PolicyRule, UserInfo } from '../../../auth/index.ts'
import type { ObjectLocation } from '../../../resource/index.ts'

/**
 * Aborts when a client has to list the rows of a view again: rows got other names, resources got or lost rows, or the user
 * got or lost permissions in the watched cluster or namespace.
 */
export class RowChanges {
  readonly signal: AbortSignal
  readonly #stop: () => void

  constructor(authorizer: Authorizer, user: UserInfo, view: View, { cluster, namespace }: ObjectLocation) {
    const ended = new AbortController()
    const before = accessOf(authorizer, user, view, cluster, namespace)
    // Roles and bindings often change many at a time; they are compared once.
    let pending: NodeJS.Immediate | undefined
    const stopListening = authorizer.onChange(cluster, () => {
      pending ??= setImmediate(() => {
        pending = undefined
        if (accessOf(authorizer, user, view, cluster, namespace) !== before) ended.abort()
      })
    })
    this.signal = AbortSignal.any([view.endOf(cluster), ended.signal])
    this.#stop = () => {
      stopListening()
      clearImmediate(pending)
    }
  }

  /** Must be called at the end of the watch. */
  close(): void {
    this.#stop()
  }
}

// Equal as long as the same rows are visible.
function accessOf(authorizer: Authorizer, user: UserInfo, view: View, cluster: string, namespace: string): string {
  const rulesIn = (name: string) =>
    authorizer.rulesFor(user, cluster, name).rules.filter((rule) => concerns(rule, view.groupSuffix))
  const namespaces = namespace === '' ? authorizer.namespacesOf(user, cluster) : [namespace]
  return JSON.stringify([rulesIn(''), namespaces.map((name) => [name, rulesIn(name)])])
}

function concerns({ apiGroups = [] }: PolicyRule, suffix: string): boolean {
  return apiGroups.some((group) => group === '*' || group.endsWith(suffix))
}
