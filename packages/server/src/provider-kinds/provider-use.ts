import { forbidden } from '@hykube/machinery/status'
import { type Authorizer, resourceAttributes, type UserInfo } from '../auth/index.ts'
import { accessOf, type ProviderObject } from '../provider/index.ts'
import { decodeObject, type ObjectStore } from '../resource/index.ts'
import { providerResource } from './provider-status.ts'

/**
 * Checks which users may use which Providers. A Provider with `access: Restricted` requires the verb `use` on it for writing objects of its
 * kinds or ProviderConfigs for it, and for making a plan that calls it.
 */
export class ProviderUse {
  readonly #objects: ObjectStore
  readonly #authorizer: Authorizer
  /** The access of Providers, by the revision that it was read from. */
  readonly #known = new Map<string, { readonly revision: number; readonly restricted: boolean }>()

  constructor(objects: ObjectStore, authorizer: Authorizer) {
    this.#objects = objects
    this.#authorizer = authorizer
  }

  /** Returns why a user may not use a Provider; undefined when the user may. */
  async refusal(user: UserInfo, cluster: string, provider: string): Promise<string | undefined> {
    if (!(await this.#isRestricted(cluster, provider))) return undefined
    const { group: apiGroup, resource } = providerResource
    const wanted = { user, cluster, verb: 'use', apiGroup, apiVersion: 'v1alpha1', resource, name: provider }
    if (this.#authorizer.authorize(resourceAttributes(wanted)).allowed) return undefined
    const name = JSON.stringify(provider)
    return `User ${JSON.stringify(user.name)} cannot use Provider ${name}: its access is Restricted, which requires the verb "use" on resource "providers" named ${name} in API group "hykube.io" at the cluster scope`
  }

  /** Fails with 403 when a user may not use a Provider; the message names the missing permission. */
  async require(
    user: UserInfo,
    cluster: string,
    provider: string,
    of: { readonly group: string; readonly resource: string; readonly name: string },
  ): Promise<void> {
    const refusal = await this.refusal(user, cluster, provider)
    if (refusal !== undefined) throw forbidden({ group: of.group, resource: of.resource }, of.name, refusal)
  }

  async #isRestricted(cluster: string, provider: string): Promise<boolean> {
    const key = `${cluster}/${provider}`
    const stored = await this.#objects.get(providerResource, { cluster, namespace: '', name: provider })
    if (stored === undefined) {
      this.#known.delete(key)
      return false
    }
    const known = this.#known.get(key)
    if (known?.revision === stored.revision) return known.restricted
    const restricted = accessOf(decodeObject(stored.bytes) as ProviderObject) === 'Restricted'
    this.#known.set(key, { revision: stored.revision, restricted })
    return restricted
  }
}
