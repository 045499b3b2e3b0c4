import { attribute, schema } from '@hykube/provider-sdk/provider'
import { simResource } from '../sim-resource.ts'
import { cidrProblem, id } from './common.ts'

/** A network, all of whose attributes can be updated in place. */
export const network = simResource({
  type: 'sim_network',
  prefix: 'net',
  schema: schema({
    description: 'A network of the simulated cloud.',
    attributes: {
      id,
      name: attribute.string({ required: true, description: 'Its name.' }),
      cidr: attribute.string({ required: true, validate: cidrProblem, description: 'As in `10.0.0.0/16`.' }),
    },
  }),
})

/** A subnet of a network; every change replaces it. */
export const subnet = simResource({
  type: 'sim_subnet',
  prefix: 'subnet',
  updates: false,
  schema: schema({
    description: 'A subnet of a network.',
    attributes: {
      id,
      network_id: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Network of the subnet.',
      }),
      cidr: attribute.string({
        required: true,
        requiresReplace: true,
        validate: cidrProblem,
        description: 'Address range, such as `10.0.1.0/24`.',
      }),
    },
  }),
})
