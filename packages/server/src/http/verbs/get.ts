import { badRequest, notFound } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { malformedVersionMessage } from '../list-options.ts'
import { formOfObject, presentLargeText, presentObject, wantsPretty } from '../presentation/form.ts'
import { isServedAsStored, objectFromStored } from '../presentation/stored-form.ts'
import type { ResourcePath } from '../request-path.ts'
import { jsonBytes } from '../respond.ts'
import { resourceNameOf, type Target } from '../target.ts'
import { getRow } from './get-row.ts'
import { largeBytes } from './pause.ts'

/** GET of an object: sends the stored bytes unchanged when the client accepts plain JSON. */
export async function get(api: Api, context: RequestContext<ResourcePath>, target: Target): Promise<Response> {
  const { type, place, resource } = target
  const form = formOfObject(type, context)
  const version = context.query.get('resourceVersion') ?? ''
  if (!/^\d*$/.test(version)) throw badRequest(malformedVersionMessage(version))
  if (type.view !== undefined) {
    const row = await getRow(api, context.user, target, type.view)
    return presentObject(type, row, form, context, 200, api.clock.now())
  }
  const stored = await api.objects.get(resource, place)
  if (stored === undefined) throw notFound(resourceNameOf({ type }), place.name)
  const asStored = form.as === undefined && isServedAsStored(type, stored.tag)
  if (asStored && form.media === 'json' && !wantsPretty(context)) return jsonBytes(200, stored.bytes)
  if (asStored && form.media !== 'protobuf' && stored.bytes.length > largeBytes)
    return presentLargeText(stored.bytes, form.media)
  return presentObject(type, objectFromStored(type, stored), form, context, 200, api.clock.now())
}
