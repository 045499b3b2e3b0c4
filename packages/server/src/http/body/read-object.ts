import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { badRequest } from '@hykube/machinery/status'
import { jsonForm, objectProtobuf, typeNameOf } from '../../kinds/index.ts'
import type { RequestContext } from '../context.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { decodeBody, typeOf } from './decode-body.ts'
import { readBytes } from './read-bytes.ts'

/** Reads the object in a request's body in the endpoint's own kind, for endpoints that do not store it. */
export async function readObject(context: RequestContext<ResourcePath>, target: Target): Promise<KubernetesObject> {
  const { request, path } = context
  const { group, version, kind } = kindOf(target, path.subresource)
  const typeName = typeNameOf(group, version, kind)
  const { value } = decodeBody(await readBytes(request), request.header('content-type')[0], objectProtobuf(typeName))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest(`the body is not a ${kind}`)
  const apiVersion = group === '' ? version : `${group}/${version}`
  const given = typeOf(value)
  if (given.kind !== '' && given.kind !== kind)
    throw badRequest(`the body is a ${given.kind} where a ${kind} is expected`)
  // Rejects values of the wrong type, so that the endpoint can rely on the type's field types.
  return { ...jsonForm(typeName, kind, apiVersion, value).object, apiVersion, kind } as KubernetesObject
}

/** Reads the JSON object in a request's body, for endpoints without a Kubernetes kind. */
export async function readDocument({ request }: RequestContext): Promise<JsonObject> {
  const { value } = decodeBody(await readBytes(request), request.header('content-type')[0], undefined)
  if (!isJsonObject(value as JsonValue)) throw badRequest('the body is not an object')
  return value as JsonObject
}

function kindOf({ type }: Target, subresource: string) {
  return (
    type.subresources.get(subresource)?.objectKind ?? {
      group: type.group,
      version: type.version,
      kind: type.names.kind,
    }
  )
}
