import { createHash } from 'node:crypto'
import { attribute, schema } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { id, size } from './common.ts'

/** A database, whose changes are slow. */
export const database = simResource({
  type: 'sim_database',
  prefix: 'db',
  times: 10,
  schema: schema({
    description: 'A database; its changes take ten times as long as those of other types.',
    attributes: {
      id,
      name: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Its name; another one is another database.',
      }),
      engine: attribute.string({
        default: 'postgres',
        requiresReplace: true,
        description: '`postgres` or another; it can not be changed in place.',
      }),
      size,
      endpoint: attribute.string({ computed: true, useStateForUnknown: true, description: 'Where it listens.' }),
      password: attribute.string({
        computed: true,
        sensitive: true,
        useStateForUnknown: true,
        description: 'Made by the cloud.',
      }),
    },
  }),
  // Derived from the id, so that a repeated create returns the same password.
  fill: (databaseId) => ({
    endpoint: `${databaseId}.db.sim.internal:5432`,
    password: createHash('sha256').update(`password of ${databaseId}`).digest('base64url').slice(0, 24),
  }),
})
