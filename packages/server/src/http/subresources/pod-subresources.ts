import type { KubernetesObject } from '@hykube/machinery/object'
import { conflict, StatusError } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import { readObject } from '../body/read-object.ts'
import { presentAnswer } from '../presentation/form.ts'
import type { EndpointHandler } from '../resource-handler.ts'
import { deleteObject } from '../verbs/delete-object.ts'
import { managedByUpdate } from '../verbs/manage-fields.ts'
import { updateObject } from '../verbs/update-object.ts'
import { writeOptionsFrom } from '../write-options.ts'

/** `pods/binding`: a scheduler assigns a pod to a node. */
export function bindingEndpoint(api: Api): EndpointHandler {
  return async (context, target) => {
    const options = writeOptionsFrom(context, 'CreateOptions')
    const { target: node } = (await readObject(context, target)) as { target?: { name?: string } }
    const bind = (current: KubernetesObject): KubernetesObject => {
      const spec = current.spec as { nodeName?: string } | undefined
      if (spec?.nodeName)
        throw conflict(
          { group: '', resource: 'pods/binding' },
          target.place.name,
          `pod ${target.place.name} is already assigned to node ${JSON.stringify(spec.nodeName)}`,
        )
      return { ...current, spec: { ...spec, nodeName: node?.name ?? '' } }
    }
    const manage = managedByUpdate(api, context, target, options.manager, 'binding')
    await updateObject(api, context, target, {
      subresource: 'binding',
      options,
      change: bind,
      manage,
      prepare: (object) => object,
    })
    return presentAnswer(success, context, 201)
  }
}

/** `pods/eviction`: deletes a pod. */
export function evictionEndpoint(api: Api): EndpointHandler {
  return async (context, target) => {
    const eviction = (await readObject(context, target)) as { deleteOptions?: { dryRun?: string[] } }
    const dryRun = context.query.has('dryRun') || (eviction.deleteOptions?.dryRun ?? []).length > 0
    await deleteObject(api, context, target, {
      dryRun,
      gracePeriodSeconds: undefined,
      propagation: undefined,
      preconditions: {},
    })
    return presentAnswer(success, context, 201)
  }
}

const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

/** Endpoints that need a running container, such as exec and logs: no pod runs here. */
export const requiresRunningContainer: EndpointHandler = async (context) => {
  throw new StatusError(
    'Unknown',
    `cannot ${context.path.subresource} ${context.path.resource} ${JSON.stringify(context.path.name)}: this server stores pods but does not run containers`,
    { code: 501 },
  )
}
