import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { formOfObject, presentAnswer, presentObject } from '../presentation/form.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { deleteObject } from './delete-object.ts'
import { deleteOptionsFrom } from './delete-options.ts'

/** DELETE of an object. The response is a Status, or the object when the kind returns it or finalizers keep it. */
export async function remove(api: Api, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const options = await deleteOptionsFrom(context)
  const { kind, object } = await deleteObject(api, context, target, options)
  const { type, place } = target
  if (kind === 'marked' || type.strategy.returnsDeletedObject)
    return presentObject(type, object, formOfObject(type, context), context, 200, api.clock.now())
  const details = {
    name: place.name,
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.names.plural,
    uid: object.metadata?.uid,
  }
  return presentAnswer({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }, context, 200)
}
