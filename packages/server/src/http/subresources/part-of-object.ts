import type { Api } from '../api.ts'
import type { EndpointHandler } from '../resource-handler.ts'
import { get } from '../verbs/get.ts'
import { patch } from '../verbs/patch.ts'
import type { TakePart } from '../verbs/take-part.ts'
import { update } from '../verbs/update.ts'

/** An endpoint that shows a whole object and lets one part of it be written. */
export function partOfObject(api: Api, take: TakePart): EndpointHandler {
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

/** `namespaces/finalize`: who has emptied a namespace takes its own name off the list. */
export const takeFinalizers: TakePart = (given, current) => ({
  ...current,
  spec: { ...fieldsOf(current.spec), finalizers: fieldsOf(given.spec).finalizers ?? [] },
})

/** `certificatesigningrequests/approval`: the conditions of the status. */
export const takeConditions: TakePart = (given, current) => ({
  ...current,
  status: { ...fieldsOf(current.status), conditions: fieldsOf(given.status).conditions ?? [] },
})

/** `pods/ephemeralcontainers`: containers added to look into a pod. */
export const takeEphemeralContainers: TakePart = (given, current) => ({
  ...current,
  spec: { ...fieldsOf(current.spec), ephemeralContainers: fieldsOf(given.spec).ephemeralContainers ?? [] },
})

/** `pods/resize`: what the containers of a pod ask for. */
export const takeContainers: TakePart = (given, current) => ({
  ...current,
  spec: { ...fieldsOf(current.spec), containers: fieldsOf(given.spec).containers ?? [] },
})

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
