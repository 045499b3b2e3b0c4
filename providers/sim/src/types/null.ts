import { attribute, schema, valueType } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { id } from './common.ts'

/** An object without effect, for testing dependencies and load. */
export const nothing = simResource({
  type: 'sim_null',
  prefix: 'null',
  updates: false,
  schema: schema({
    description: 'An object that does nothing; it is made anew when its triggers change.',
    attributes: {
      id,
      triggers: attribute.map(valueType.string, {
        optional: true,
        requiresReplace: true,
        description: 'Anything; when it changes, the resource is replaced.',
      }),
    },
  }),
})
