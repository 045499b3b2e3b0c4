import { attribute, schema } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { id } from './common.ts'

/** A secret with a write-only value: it is sent to the cloud and never stored in a state. */
export const secret = simResource({
  type: 'sim_secret',
  prefix: 'secret',
  schema: schema({
    description: 'A secret. Increase `value_version` to send a new value.',
    attributes: {
      id,
      name: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Name; a change replaces the secret.',
      }),
      value: attribute.string({
        required: true,
        writeOnly: true,
        sensitive: true,
        description: 'Stored only by the cloud.',
      }),
      value_version: attribute.number({ optional: true, description: 'A change sends the value again.' }),
    },
  }),
  store: ({ value }) => ({ value }),
})
