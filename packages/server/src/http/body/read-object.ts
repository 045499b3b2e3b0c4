import type { KubernetesObject } from '@hykube/machinery/object'
import { badRequest } from '@hykube/machinery/status'
import type { RequestContext } from '../context.ts'
import type { Target } from '../target.ts'
import { decodeBody } from './decode-body.ts'

/** The object in a request's body, for endpoints that answer it themselves. */
export async function readObject({ request }: RequestContext, { type }: Target): Promise<KubernetesObject> {
  const { value } = decodeBody(await request.body(), request.header('content-type')[0], type.protobuf?.())
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`the body is no ${type.names.kind}`)
  return value as KubernetesObject
}
