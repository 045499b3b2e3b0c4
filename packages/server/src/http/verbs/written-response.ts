import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { formOfObject, presentObject, wantsPretty } from '../presentation/form.ts'
import { isStoredVersion } from '../presentation/stored-form.ts'
import { jsonBytes } from '../respond.ts'
import type { Target } from '../target.ts'
import type { Written } from './create-object.ts'

/** Creates the response of a write: the stored bytes unchanged when the client accepts plain JSON. */
export function writtenResponse(
  api: Api,
  context: RequestContext,
  { type }: Target,
  written: Written,
  status: number,
): Response {
  const form = formOfObject(type, context)
  const plain = form.media === 'json' && form.as === undefined && !wantsPretty(context)
  if (plain && written.stored !== undefined && isStoredVersion(type)) return jsonBytes(status, written.stored.bytes)
  return presentObject(type, written.object, form, context, status, api.clock.now())
}
