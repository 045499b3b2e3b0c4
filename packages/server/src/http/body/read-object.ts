import type { KubernetesObject } from '@hykube/machinery/object'
import type { ObjectCodec } from '@hykube/machinery/resource-type'
import { badRequest } from '@hykube/machinery/status'
import { objectProtobuf, typeNameOf } from '../../kinds/index.ts'
import type { RequestContext } from '../context.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { decodeBody } from './decode-body.ts'

/** The object in a request's body, for endpoints that answer it themselves; in the kind that the endpoint speaks. */
export async function readObject(context: RequestContext<ResourcePath>, target: Target): Promise<KubernetesObject> {
  const { request, path } = context
  const { value } = decodeBody(
    await request.body(),
    request.header('content-type')[0],
    codecOf(target, path.subresource),
  )
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`the body is no ${target.type.names.kind}`)
  return value as KubernetesObject
}

function codecOf({ type }: Target, subresource: string): ObjectCodec | undefined {
  const spoken = type.subresources.get(subresource)?.speaks
  return spoken === undefined
    ? type.protobuf?.()
    : objectProtobuf(typeNameOf(spoken.group, spoken.version, spoken.kind))
}
