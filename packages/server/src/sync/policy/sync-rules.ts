import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden } from '@hykube/machinery/status'
import type { SyncPolicySpec } from '@hykube/machinery/sync-api'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import { syncModeOf } from '../../estate/index.ts'
import type { KindCatalogue } from '../../model/index.ts'
import { withAuthor, withAuthorOf, withoutAuthor } from '../../plans/index.ts'

/**
 * Policies, and objects with `lifecycle.sync`, carry the user of their last spec write, because the server acts as this user.
 * Someone who acts through another identity, or has values sent elsewhere, needs the permission for it.
 */
export function syncRules(authorizer: Authorizer, kinds: KindCatalogue): AdmissionPlugin {
  return {
    name: 'SyncRules',
    handles: (request) => request.subresource === '' && request.operation !== 'DELETE' && isSynced(request, kinds),
    mutate: (request) => withActor(request, kinds),
    validate: (request) => {
      if (!isPolicy(request) || request.object === undefined || !isSpecWritten(request)) return
      const { mode, serviceAccountName, notify } = (request.object.spec ?? {}) as SyncPolicySpec
      const demands = new Demands(authorizer, request)
      if (mode === 'Reconcile') demands.approve()
      if (serviceAccountName !== undefined) demands.impersonate(serviceAccountName)
      if (notify !== undefined) demands.readSecret(notify.secretRef.name)
    },
  }
}

function isSynced(request: AdmissionRequest, kinds: KindCatalogue): boolean {
  const { cluster, type } = request
  return isPolicy(request) || kinds.at(cluster, type.group, type.names.plural) !== undefined
}

function isPolicy({ type }: AdmissionRequest): boolean {
  return type.group === 'hykube.io' && (type.names.kind === 'SyncPolicy' || type.names.kind === 'ClusterSyncPolicy')
}

function isSpecWritten({ object, old }: AdmissionRequest): boolean {
  return old === undefined || !jsonEquals((object?.spec ?? null) as JsonValue, (old.spec ?? null) as JsonValue)
}

function withActor(request: AdmissionRequest, kinds: KindCatalogue): KubernetesObject {
  const { object, old, user } = request
  if (!isPolicy(request) && syncModeOf(object) === undefined)
    return isSynced(request, kinds) ? withoutAuthor(object!) : object!
  return isSpecWritten(request) ? withAuthor(object!, user) : withAuthorOf(object!, old!)
}

class Demands {
  readonly #authorizer: Authorizer
  readonly #request: AdmissionRequest

  constructor(authorizer: Authorizer, request: AdmissionRequest) {
    this.#authorizer = authorizer
    this.#request = request
  }

  approve(): void {
    const message = 'mode Reconcile needs update on plans/approval in every namespace that the policy covers'
    this.#demand({ verb: 'update', apiGroup: 'hykube.io', resource: 'plans', subresource: 'approval' }, message)
  }

  impersonate(name: string): void {
    const message = 'spec.serviceAccountName needs impersonate on that ServiceAccount'
    this.#demand({ verb: 'impersonate', apiGroup: '', resource: 'serviceaccounts', name }, message)
  }

  readSecret(name: string): void {
    const message = 'spec.notify.secretRef needs get on that Secret'
    this.#demand({ verb: 'get', apiGroup: '', resource: 'secrets', name }, message)
  }

  // The namespace of a cluster-scoped policy is empty, which asks for the permission in all of them.
  #demand(asked: Asked, message: string): void {
    const { user, cluster, namespace, type } = this.#request
    const apiVersion = asked.apiGroup === '' ? 'v1' : 'v1alpha1'
    if (!this.#authorizer.authorize(resourceAttributes({ user, cluster, namespace, apiVersion, ...asked })).allowed)
      throw forbidden({ group: type.group, resource: type.names.plural }, this.#request.name, message)
  }
}

type Asked = Pick<Parameters<typeof resourceAttributes>[0], 'verb' | 'apiGroup' | 'resource' | 'subresource' | 'name'>
