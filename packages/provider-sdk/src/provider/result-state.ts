import { isUnknown, isWhollyKnown, type Value, type ValueObject, walkValue } from '@hykube/tfplugin/value'
import { writeContent } from './content-values.ts'
import { withoutWriteOnly } from './plan-rules.ts'
import { elementTypeOf } from './schema/element-type.ts'
import type { SchemaSpec } from './schema/schema.ts'
import { type Place, TypeMismatchError } from './schema/type-mismatch.ts'

/** Converts the state that an author's function returned. Write-only values become null; throws when a value is unknown. */
export function writeState(schema: SchemaSpec, given: unknown): ValueObject {
  const state = withoutWriteOnly(schema, writeContent(schema, given))
  if (!isWhollyKnown(state))
    throw new TypeMismatchError('the provider returned no value for this attribute', unknownPlace(schema, state))
  return state
}

function unknownPlace(schema: SchemaSpec, state: Value): Place {
  let place: Place = []
  walkValue(state, elementTypeOf(schema), (value, path) => {
    if (isUnknown(value) && place.length === 0) {
      place = path.map((step) => (step.kind === 'index' ? step.index : step.kind === 'key' ? step.key : step.name))
    }
  })
  return place
}
