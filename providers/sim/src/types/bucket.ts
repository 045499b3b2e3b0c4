import { attribute, block, schema } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { id, tags } from './common.ts'

/** An object storage bucket with lifecycle rules: an example of nested blocks. */
export const bucket = simResource({
  type: 'sim_bucket',
  prefix: 'bucket',
  schema: schema({
    description: 'An object storage bucket.',
    attributes: {
      id,
      name: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Name; a change replaces the bucket.',
      }),
      tags,
    },
    blocks: {
      rules: block.list({
        description: 'Lifecycle rules, in order of precedence.',
        attributes: {
          prefix: attribute.string({ required: true, description: 'Prefix of the names of the files.' }),
          action: attribute.string({
            default: 'expire',
            description: '`expire` or `archive`.',
            validate: (value) =>
              value === 'expire' || value === 'archive' ? undefined : `It must be expire or archive, not ${value}.`,
          }),
          after_days: attribute.number({
            optional: true,
            validate: (value) => (value >= 0 ? undefined : 'It must not be negative.'),
          }),
        },
      }),
    },
  }),
})
