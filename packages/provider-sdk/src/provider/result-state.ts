import { isUnknown, isWhollyKnown, type Value, type ValueObject, walkValue } from '@hykube/tfplugin/value'
import { writeContent } from './content-values.ts'
import { elementTypeOf } from './element-type.ts'
import { MisfitError, type Place } from './misfit.ts'
import { withoutWriteOnly } from './plan-rules.ts'
import type { SchemaSpec } from './schema.ts'

/** The state that an author's function gave: write-only values are left out, and nothing in it may be unknown. */
export function writeState(schema: SchemaSpec, given: unknown): ValueObject {
  const state = withoutWriteOnly(schema, writeContent(schema, given))
  if (!isWhollyKnown(state)) throw new MisfitError('the provider gave no value for it', unknownPlace(schema, state))
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
