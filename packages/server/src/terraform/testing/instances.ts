import type { Schema } from '@hykube/tfplugin/schema'
import { attributeStep, type Path, type Value } from '@hykube/tfplugin/value'
import { defaultLifecycle, type InstanceState } from '../../model/index.ts'
import type { ResourceInstance } from '../calls/instance.ts'
import type { PlanInput } from '../calls/plan-request.ts'
import { attribute, schema } from './schemas.ts'

/** A resource with a name, an image that forces replacement, a computed id, a zone of either and a write-only secret. */
export const thing: Schema = schema([
  attribute('name', 'required'),
  attribute('image', 'optional'),
  attribute('id', 'computed'),
  attribute('zone', 'optional computed'),
  attribute('secret', 'optional writeOnly'),
])

export function instanceOf(its: Schema = thing): ResourceInstance {
  return {
    address: 'sim_thing.a',
    provider: 'hykube/sim',
    typeName: 'sim_thing',
    schema: its,
    capabilities: { planDestroy: false },
  }
}

export function stateOf(value: Value, more: Partial<InstanceState> = {}): InstanceState {
  return { value, private: Uint8Array.of(1), schemaVersion: 0, status: 'ready', sensitivePaths: [], ...more }
}

export function planInput(given: Partial<PlanInput> & Pick<PlanInput, 'config'>): PlanInput {
  return { ...instanceOf(given.schema), configSensitive: [], lifecycle: defaultLifecycle, ...given }
}

/** The path to an attribute of the object itself. */
export function at(name: string): Path {
  return [attributeStep(name)]
}
