import { attribute, schema, valueType } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { id } from './common.ts'

/** An object without effect, for testing dependencies and load. */
export const nothing = simResource({
  type: 'sim_null',
  prefix: 'null',
  updates: false,
  schema: schema({
    description: 'An object without effect; it is replaced when its triggers change.',
    attributes: {
      id,
      triggers: attribute.map(valueType.string, {
        optional: true,
        requiresReplace: true,
        description: 'Arbitrary values; a change replaces the resource.',
      }),
    },
  }),
})
