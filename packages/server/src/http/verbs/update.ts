import { badRequest, notFound } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import { decodeObject } from '../body/decode-body.ts'
import { readBytes } from '../body/read-bytes.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { formOfObject } from '../presentation/form.ts'
import type { ResourcePath } from '../request-path.ts'
import { resourceNameOf, type Target } from '../target.ts'
import { writeOptionsFrom } from '../write-options.ts'
import { createObject } from './create-object.ts'
import { incomingObject } from './incoming.ts'
import { managedByUpdate } from './manage-fields.ts'
import type { PartUpdate } from './part-update.ts'
import { pause } from './pause.ts'
import { updateObject } from './update-object.ts'
import { writtenResponse } from './written-response.ts'

/** PUT of an object or a subresource: replaces the current object. */
export async function update(
  api: Api,
  context: RequestContext<ResourcePath>,
  target: Target,
  take?: PartUpdate,
): Promise<Response> {
  const options = writeOptionsFrom(context, 'UpdateOptions')
  formOfObject(target.type, context)
  const body = decodeObject(await readBytes(context.request), context.request.header('content-type')[0], target.type)
  await pause(context)
  const object = incomingObject(target, body, options, context)
  if (!(body.value as { metadata?: { name?: string } }).metadata?.name)
    throw badRequest('the name of the object (based on URL) was undeterminable: name must be provided')
  const { subresource } = context.path
  const manage = managedByUpdate(api, context, target, options.manager, subresource)
  if (subresource === '' && target.type.strategy.allowCreateOnUpdate && (await isAbsent(api, target))) {
    if (object.metadata?.resourceVersion) throw notFound(resourceNameOf(target), target.place.name)
    const created = await createObject(api, context, target, object, options, (filled) => manage(filled, undefined))
    return writtenResponse(api, context, target, created, 201)
  }
  const written = await updateObject(api, context, target, {
    subresource,
    options,
    change: () => object,
    manage,
    ...(take === undefined ? {} : { prepare: take }),
  })
  return writtenResponse(api, context, target, written, 200)
}

async function isAbsent(api: Api, { resource, place }: Target): Promise<boolean> {
  return (await api.objects.get(resource, place)) === undefined
}
