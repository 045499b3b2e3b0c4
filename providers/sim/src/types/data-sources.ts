import { attribute, ProviderFailure, schema, valueType } from '@hykube/provider-sdk/provider'
import { dataSource } from '../sim-resource.ts'

/** Machine images: any name exists, with an id derived from it. */
export const image = dataSource({
  schema: schema({
    description: 'A machine image.',
    attributes: {
      id: attribute.string({ computed: true, description: 'Id derived from the name.' }),
      name: attribute.string({ required: true, description: 'Which image.' }),
      architecture: attribute.string({ default: 'x86_64', description: 'Processor architecture.' }),
      size_gb: attribute.number({ computed: true, description: 'Size in gigabytes.' }),
    },
  }),
  async read({ config }) {
    const { name, architecture } = config
    if (name === '') throw new ProviderFailure('Image not found', { place: ['name'] })
    return { id: `img-${name}-${architecture}`, name, architecture, size_gb: 8 }
  },
})

/** The regions of the simulated cloud. */
export const region = dataSource({
  schema: schema({
    description: 'A region of the simulated cloud.',
    attributes: {
      id: attribute.string({ computed: true, description: 'The name of the region.' }),
      name: attribute.string({ default: 'eu-1', description: '`eu-1`, `us-1` or `ap-1`.' }),
      zones: attribute.list(valueType.string, { computed: true }),
    },
  }),
  async read({ config }) {
    const { name } = config
    if (!regions.includes(name))
      throw new ProviderFailure('Region not found', { detail: `There are ${regions.join(', ')}.`, place: ['name'] })
    return { id: name, name, zones: ['a', 'b', 'c'].map((zone) => `${name}${zone}`) }
  },
})

const regions: readonly string[] = ['eu-1', 'us-1', 'ap-1']
