import type { Api } from '../api.ts'
import type { EndpointHandler } from '../resource-handler.ts'
import { get } from '../verbs/get.ts'
import type { PartUpdate } from '../verbs/part-update.ts'
import { patch } from '../verbs/patch.ts'
import { update } from '../verbs/update.ts'

/** Creates an endpoint that returns a whole object and updates only one part of it. */
export function partOfObject(api: Api, take: PartUpdate): EndpointHandler {
  return (context, target) => {
    switch (context.request.method) {
      case 'PUT':
        return update(api, context, target, take)
      case 'PATCH':
        return patch(api, context, target, take)
      default:
        return get(api, context, target)
    }
  }
}

/** `namespaces/finalize`: a controller removes its finalizer from the namespace's spec. */
export const updateFinalizers: PartUpdate = (given, current) => ({
  ...current,
  spec: { ...fieldsOf(current.spec), finalizers: fieldsOf(given.spec).finalizers ?? [] },
})

/** `certificatesigningrequests/approval`: updates the conditions in status. */
export const updateConditions: PartUpdate = (given, current) => ({
  ...current,
  status: { ...fieldsOf(current.status), conditions: fieldsOf(given.status).conditions ?? [] },
})

/** `pods/ephemeralcontainers`: adds debug containers to a pod. */
export const updateEphemeralContainers: PartUpdate = (given, current) => ({
  ...current,
  spec: { ...fieldsOf(current.spec), ephemeralContainers: fieldsOf(given.spec).ephemeralContainers ?? [] },
})

/** `pods/resize`: updates the resource requests of containers. */
export const updateContainers: PartUpdate = (given, current) => ({
  ...current,
  spec: { ...fieldsOf(current.spec), containers: fieldsOf(given.spec).containers ?? [] },
})

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
