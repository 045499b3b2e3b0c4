import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, goText } from '@hykube/machinery/patch'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { badRequest, invalid, StatusError } from '@hykube/machinery/status'
import type { Api } from '../api.ts'
import { decodeJson, requireObject, unsupportedMediaType } from '../body/decode-body.ts'
import type { DecodedBody } from '../body/decoded-body.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { parseMediaType } from '../negotiation.ts'
import { formOfObject } from '../presentation/form.ts'
import type { ResourcePath } from '../request-path.ts'
import type { Target } from '../target.ts'
import { writeOptionsFrom } from '../write-options.ts'
import { apply } from './apply.ts'
import { checkName, withoutUnknown } from './incoming.ts'
import { managedByUpdate } from './manage-fields.ts'
import type { PartUpdate } from './part-update.ts'
import { checkResult, type PatchErrorTexts, resultErrorTexts } from './patches/patch-errors.ts'
import { pause } from './pause.ts'
import { updateObject } from './update-object.ts'
import { writtenResponse } from './written-response.ts'

/** The content types of patches. */
const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** PATCH of an object or a subresource. */
export async function patch(
  api: Api,
  context: RequestContext<ResourcePath>,
  target: Target,
  take?: PartUpdate,
): Promise<Response> {
  const { type } = target
  const media = parseMediaType(context.request.header('content-type')[0] ?? '').type
  const options = writeOptionsFrom(context, 'PatchOptions')
  formOfObject(type, context)
  if (media === patchTypes.apply) return apply(api, context, target, options)
  if (options.force !== undefined) throw forceForbidden()
  const applyPatch = patcherOf(type, media)
  const body = decodePatch(await context.request.body())
  const { subresource } = context.path
  const written = await updateObject(api, context, target, {
    subresource,
    options,
    change: async (current, storedBytes) => {
      const patched = applyPatch(current, body)
      const texts = errorTextsOf(type, media, body, current, patched)
      const changed = checkResult(texts, () => requireObject(patched, type))
      await pause(context, storedBytes)
      checkName(type, changed.metadata?.name, target.place.name)
      const known = checkResult(texts, () => withoutUnknown(type, changed, body.duplicates, options, context))
      await pause(context, storedBytes)
      return type.setDefaults(known)
    },
    manage: managedByUpdate(api, context, target, options.manager, subresource),
    ...(take === undefined ? {} : { prepare: take }),
  })
  return writtenResponse(api, context, target, written, 200)
}

function decodePatch(bytes: Uint8Array): DecodedBody {
  try {
    return decodeJson(bytes)
  } catch (error) {
    if (error instanceof StatusError) throw badRequest(`error decoding patch: ${error.message}`)
    throw error
  }
}

type Patcher = (current: KubernetesObject, body: DecodedBody) => unknown

function patcherOf(type: ResourceType, media: string): Patcher {
  if (media === patchTypes.json) return (current, { value }) => applyJsonPatch(current as JsonValue, value as JsonValue)
  if (media === patchTypes.merge)
    return (current, { value }) => applyMergePatch(current as JsonObject, value as JsonValue)
  if (media === patchTypes.strategic && type.strategicMerge)
    return (current, { value }) => applyStrategicMergePatch(type.shape(), current as JsonObject, value as JsonValue)
  const { strategic, ...others } = patchTypes
  if (media === strategic) throw unsupportedMediaType(Object.values(others))
  throw new StatusError('UnsupportedMediaType', '415: Unsupported Media Type', { details: {} })
}

// Errors of a strategic merge patch show the patch itself and the converter's message; those of others show the result.
function errorTextsOf(
  type: ResourceType,
  media: string,
  { value }: DecodedBody,
  current: unknown,
  patched: unknown,
): PatchErrorTexts {
  const result = resultErrorTexts(current, patched, type.protobuf === undefined)
  if (media !== patchTypes.strategic) return result
  return {
    value: () => goText(value as JsonValue),
    reason: (error) => (error.cause instanceof Error ? error.cause.message : result.reason(error)),
  }
}

function forceForbidden() {
  return invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
    { reason: 'FieldValueForbidden', field: 'force', message: 'Forbidden: may not be specified for non-apply patch' },
  ])
}
