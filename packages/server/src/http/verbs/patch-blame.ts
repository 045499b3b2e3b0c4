import type { JsonValue } from '@hykube/machinery/json'
import { invalid, StatusError } from '@hykube/machinery/status'
import { patchedText } from './patched-text.ts'

/** How a patch is told what it did wrong. */
export interface Blame {
  /** What is told to be wrong. */
  readonly value: () => string
  readonly why: (error: StatusError) => string
}

/** Makes something of what a patch made. Where that is 400, it is the patch's fault and not the object's: 422. */
export function fitting<T>({ value, why }: Blame, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'BadRequest') throw error
    const message = `Invalid value: ${JSON.stringify(value())}: ${why(error)}`
    throw invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', message }])
  }
}

/** A patch that is blamed for what it made of an object, in the words of the decoder. */
export function blameForResult(current: unknown, patched: unknown, isCustom = false): Blame {
  return {
    value: () => patchedText(current as JsonValue, patched as JsonValue, isCustom),
    why: ({ message }) => message.replace(/^.* cannot be handled as a [^ ]+: /, ''),
  }
}
