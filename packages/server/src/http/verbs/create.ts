import type { Api } from '../api.ts'
import { decodeObject } from '../body/decode-body.ts'
import { readBytes } from '../body/read-bytes.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { formOfObject } from '../presentation/form.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { writeOptionsFrom } from '../write-options.ts'
import { createObject } from './create-object.ts'
import { incomingObject } from './incoming.ts'
import { managedByUpdate } from './manage-fields.ts'
import { pause } from './pause.ts'
import { writtenResponse } from './written-response.ts'

/** POST to a collection: creates an object. */
export async function create(api: Api, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const options = writeOptionsFrom(context, 'CreateOptions')
  formOfObject(target.type, context)
  const body = decodeObject(await readBytes(context.request), context.request.header('content-type')[0], target.type)
  await pause(context)
  const object = incomingObject(target, body, options, context)
  await pause(context)
  const manage = managedByUpdate(api, context, target, options.manager, '')
  const written = await createObject(api, context, target, object, options, (filled) => manage(filled, undefined))
  return writtenResponse(api, context, target, written, 201)
}
