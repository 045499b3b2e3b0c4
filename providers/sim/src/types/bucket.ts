import { attribute, block, schema } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { id, tags } from './common.ts'

/** An object storage bucket with lifecycle rules: an example of nested blocks. */
export const bucket = simResource({
  type: 'sim_bucket',
  prefix: 'bucket',
  schema: schema({
    description: 'A place for files.',
    attributes: {
      id,
      name: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Its name; another one is another bucket.',
      }),
      tags,
    },
    blocks: {
      rules: block.list({
        description: 'What happens to files, first rule first.',
        attributes: {
          prefix: attribute.string({ required: true, description: 'Which files, by the beginning of their names.' }),
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
