import { type JsonValue, jsonTypeOf } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { Pruned, ResourceType } from '@hykube/machinery/resource-type'
import { badRequest } from '@hykube/machinery/status'
import { requireObject } from '../body/decode-body.ts'
import type { DecodedBody } from '../body/decoded-body.ts'
import type { RequestContext } from '../context.ts'
import type { Target } from '../target.ts'
import type { WriteOptions } from '../write-options.ts'

/** Prepares a client's object: checks type, name and namespace, drops unknown fields, sets defaults. */
export function incomingObject(
  { type, place }: Target,
  body: DecodedBody,
  options: WriteOptions,
  context: RequestContext,
): KubernetesObject {
  const object = inPlace(requireObject(body.value, type), type, place.namespace, place.name)
  return type.setDefaults(withoutUnknown(type, object, body.duplicates, options, context))
}

/** Drops unknown fields; warns or rejects as `fieldValidation` demands. */
export function withoutUnknown(
  type: ResourceType,
  object: KubernetesObject,
  duplicates: readonly string[],
  { fieldValidation }: WriteOptions,
  { warnings }: RequestContext,
): KubernetesObject {
  const pruned = type.prune(object)
  if (fieldValidation === 'Ignore') return pruned.object
  const problems = [
    ...unknownFieldProblems(pruned),
    ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
  ]
  if (problems.length > 0 && fieldValidation === 'Strict')
    throw badRequest(`${strictPrefix(type)}strict decoding error: ${problems.join(', ')}`)
  warnings.push(...problems)
  return pruned.object
}

/** Beginning of Kubernetes' message for a document that is not a valid object of the kind. */
export function strictPrefix({ names: { kind }, version }: ResourceType): string {
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: `
}

/** Kubernetes' messages for unknown fields. */
export function unknownFieldProblems({ unknownFields, hints }: Pruned): string[] {
  return unknownFields.toSorted().map((path) => {
    const hint = hints?.get(path)
    return `unknown field ${JSON.stringify(path)}${hint === undefined ? '' : ` (${hint})`}`
  })
}

/** Returns the object with the request's namespace and name. Throws 400 when the object has different ones. */
function inPlace(object: KubernetesObject, type: ResourceType, namespace: string, name: string): KubernetesObject {
  const metadata = object.metadata ?? {}
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    const place = type.protobuf === undefined ? 'Go value' : `Go struct field ${type.names.kind}.metadata`
    throw badRequest(
      `${strictPrefix(type)}json: cannot unmarshal ${jsonTypeOf(metadata as JsonValue)} into ${place} of type v1.ObjectMeta`,
    )
  }
  const given = metadata.namespace ?? ''
  const expected = type.namespaced ? namespace : ''
  if (given !== '' && given !== expected && type.namespaced)
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`)
  if (name !== '') checkName(type, metadata.name, name)
  const { namespace: _, ...rest } = metadata
  const place = { ...(name === '' ? {} : { name }), ...(expected === '' ? {} : { namespace: expected }) }
  return { ...object, metadata: { ...rest, ...place } }
}

/** Throws 400 when the object has another name than the request; a missing name is allowed. */
export function checkName(type: ResourceType, given: unknown, name: string): void {
  if (given == null || given === '' || given === name) return
  if (typeof given !== 'string')
    throw badRequest(
      `${strictPrefix(type)}json: cannot unmarshal ${jsonTypeOf(given as JsonValue)} into Go struct field ObjectMeta.metadata.name of type string`,
    )
  throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`)
}
