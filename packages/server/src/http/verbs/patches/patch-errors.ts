import type { JsonValue } from '@hykube/machinery/json'
import { invalid, StatusError } from '@hykube/machinery/status'
import { patchedText } from './patched-text.ts'

/** Texts of the error for a patch with an invalid result. */
export interface PatchErrorTexts {
  /** The invalid value. */
  readonly value: () => string
  readonly reason: (error: StatusError) => string
}

/** Runs a check of a patch's result. Turns its 400 into a 422, because the patch is at fault and not the request. */
export function checkResult<T>({ value, reason }: PatchErrorTexts, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'BadRequest') throw error
    const message = `Invalid value: ${JSON.stringify(value())}: ${reason(error)}`
    throw invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', message }])
  }
}

/** Error texts that show the patched object and the decoder's message. */
export function resultErrorTexts(current: unknown, patched: unknown, isCustom = false): PatchErrorTexts {
  return {
    value: () => patchedText(current as JsonValue, patched as JsonValue, isCustom),
    reason: ({ message }) => message.replace(/^.* cannot be handled as a [^ ]+: /, ''),
  }
}
