import { type JsonObject, type JsonValue, jsonTypeOf } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { Pruned } from '@hykube/machinery/resource-type'
import { badRequest, invalid, StatusError } from '@hykube/machinery/status'
import { forbiddenError, resourceAttributes } from '../../auth/index.ts'
import type { Api } from '../api.ts'
import { decodeYaml } from '../body/decode-body.ts'
import type { DecodedBody } from '../body/decoded-body.ts'
import { readBytes } from '../body/read-bytes.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import type { WriteOptions } from '../write-options.ts'
import { createObject } from './create-object.ts'
import { inSteps } from './in-steps.ts'
import { checkName, unknownFieldProblems } from './incoming.ts'
import { fieldManagerOf } from './manage-fields.ts'
import { pause } from './pause.ts'
import { updateObject } from './update-object.ts'
import { writtenResponse } from './written-response.ts'

/**
 * Server-side apply: merges the fields of the manager's configuration with fields of other managers. Creates a missing
 * object.
 */
export async function apply(
  api: Api,
  context: RequestContext<ResourcePath>,
  target: Target,
  options: WriteOptions,
): Promise<Response> {
  if (!options.managerGiven) throw managerRequired()
  const body = await readApplied(context)
  await pause(context)
  const applied = appliedObject(target, body, options, context)
  await pause(context)
  const { subresource } = context.path
  const fields = fieldManagerOf(api, target, subresource)
  const { manager, force = false } = options
  const merge = async (live: KubernetesObject | undefined, storedBytes?: number) => {
    const steps = fields.applyInSteps(live as JsonObject | undefined, applied as JsonObject, { manager, force })
    const merged = (await inSteps(context, steps, storedBytes)) as KubernetesObject
    // The merge checks types but not the ranges of numbers; pruning rejects numbers that are out of range.
    target.type.prune(merged)
    return target.type.setDefaults(merged)
  }
  for (;;) {
    const exists = (await api.objects.get(target.resource, target.place)) !== undefined
    try {
      if (exists) {
        const manage = (object: KubernetesObject) => object
        const written = await updateObject(api, context, target, {
          subresource,
          options,
          change: merge,
          manage,
        })
        return writtenResponse(api, context, target, written, 200)
      }
      if (subresource === '') {
        checkMayCreate(api, context, target)
        const merged = inNamespace(target, await merge(undefined))
        const written = await createObject(api, context, target, merged, options, (object) => object)
        return writtenResponse(api, context, target, written, 201)
      }
    } catch (error) {
      if (isRace(error, exists)) continue
      throw error
    }
    throw new StatusError('NotFound', `${target.type.names.plural} ${JSON.stringify(target.place.name)} not found`)
  }
}

async function readApplied({ request }: RequestContext): Promise<DecodedBody> {
  try {
    return decodeYaml(await readBytes(request))
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'BadRequest') throw error
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
  }
}

// The object was created or deleted between the read and the commit: the caller tries again.
function isRace(error: unknown, existed: boolean): boolean {
  return error instanceof StatusError && error.reason === (existed ? 'NotFound' : 'AlreadyExists')
}

function appliedObject(
  { type, place }: Target,
  { value, duplicates }: DecodedBody,
  { fieldValidation }: WriteOptions,
  { warnings }: RequestContext,
): KubernetesObject {
  if (typeof value !== 'object' || Array.isArray(value)) throw noObject(value as JsonValue)
  const problems = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`)
  if (problems.length > 0 && fieldValidation === 'Strict')
    throw badRequest(`error decoding YAML: ${problems.join(', ')}`)
  if (fieldValidation === 'Warn') warnings.push(...problems)
  const object = (value ?? {}) as KubernetesObject
  if (fieldValidation === 'Strict' && type.rejectsUnknownFields) refuseUnknown(type.prune(object))
  const { metadata = {} } = object
  checkName(type, metadata.name, place.name)
  if (type.namespaced && metadata.namespace && metadata.namespace !== place.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  return { ...object, metadata: { ...metadata, name: place.name } }
}

function noObject(value: JsonValue): StatusError {
  const wanted = 'Go value of type map[string]interface {}'
  return badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeOf(value)} into ${wanted}`,
  )
}

// The namespace is set after merging, because errors about the configuration must show the namespace it contains.
function inNamespace({ type, place }: Target, object: KubernetesObject): KubernetesObject {
  if (!type.namespaced) return object
  return { ...object, metadata: { ...object.metadata, namespace: place.namespace } }
}

// Only for kinds whose merge ignores unknown fields; other kinds' merge reports them.
function refuseUnknown(pruned: Pruned): void {
  const problems = unknownFieldProblems(pruned)
  if (problems.length > 0) throw badRequest(`strict decoding error: ${problems.join(', ')}`)
}

function checkMayCreate({ authorizer }: Api, { user }: RequestContext, { type, place }: Target): void {
  const attributes = resourceAttributes({
    user,
    verb: 'create',
    cluster: place.cluster,
    apiGroup: type.group,
    apiVersion: type.version,
    resource: type.names.plural,
    namespace: place.namespace,
    name: place.name,
  })
  const { allowed, reason } = authorizer.authorize(attributes)
  if (!allowed) throw forbiddenError(attributes, reason)
}

function managerRequired(): StatusError {
  return invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
    { reason: 'FieldValueRequired', field: 'fieldManager', message: 'Required value: is required for apply patch' },
  ])
}
