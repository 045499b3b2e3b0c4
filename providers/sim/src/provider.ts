import { resolve } from 'node:path'
import { attribute, defineProvider, schema } from '@hykube/provider-sdk/provider'
import { Cloud } from './cloud.ts'
import { DirectoryWorld } from './directory-world.ts'
import { SqliteWorld } from './sqlite-world.ts'
import { bucket } from './types/bucket.ts'
import { image, region } from './types/data-sources.ts'
import { database } from './types/database.ts'
import { instance } from './types/instance.ts'
import { network, subnet } from './types/network.ts'
import { nothing } from './types/null.ts'
import { secret } from './types/secret.ts'
import type { World } from './world.ts'

/** A provider of a simulated cloud, for evaluation, tests and benchmarks. */
export const simProvider = defineProvider({
  name: 'sim',
  version: '0.1.0',
  schema: schema({
    description: 'A simulated cloud for evaluation, tests and benchmarks.',
    attributes: {
      world: attribute.string({
        default: 'sim-world',
        description: 'A directory with a JSON file for each object, `<type>/<id>.json`, or `sqlite:FILE`.',
      }),
      latency_ms: attribute.number({
        default: 0,
        description: 'The latency of each create, read, update and delete, in milliseconds.',
        validate: (value) => (value >= 0 ? undefined : 'It must not be negative.'),
      }),
      failure_rate: attribute.number({
        default: 0,
        description: 'The fraction of creates, updates and deletes that fail, from 0 to 1.',
        validate: (value) => (value >= 0 && value <= 1 ? undefined : 'It must be from 0 to 1.'),
      }),
      crash_after: attribute.number({
        optional: true,
        description: 'Crash the provider process after this many changes, before it responds to the last one.',
        validate: (value) => (Number.isInteger(value) && value > 0 ? undefined : 'It must be 1 or more.'),
      }),
      seed: attribute.number({ default: 0, description: 'Determines which calls fail.' }),
    },
  }),
  configure({ config }) {
    return new Cloud({
      world: openWorld(config.world),
      latency: config.latency_ms,
      failureRate: config.failure_rate,
      seed: config.seed,
      ...(config.crash_after !== null && { crashAfter: config.crash_after }),
    })
  },
  close: (cloud) => cloud.close(),
  resources: {
    sim_network: network,
    sim_subnet: subnet,
    sim_instance: instance,
    sim_bucket: bucket,
    sim_database: database,
    sim_secret: secret,
    sim_null: nothing,
  },
  dataSources: { sim_image: image, sim_region: region },
})

function openWorld(location: string): World {
  if (location.startsWith('sqlite:')) return new SqliteWorld(resolve(location.slice('sqlite:'.length)))
  return new DirectoryWorld(resolve(location))
}
