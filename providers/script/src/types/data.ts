import { attribute, definitionsFor, schema, valueType } from '@hykube/provider-sdk/provider'
import type { Scripts } from '../scripts.ts'
import { commandProblem, executionAttributes } from './execution-options.ts'

const { dataSource } = definitionsFor<Scripts>()

/** A data source read by a command. */
export const scriptData = dataSource({
  schema: schema({
    description:
      'Data read by a command. The command uses JSON on standard input and output, and must not change anything.',
    attributes: {
      read: attribute.list(valueType.string, {
        required: true,
        validate: commandProblem,
        description: 'Program and arguments, without a shell.',
      }),
      input: attribute.dynamic({ optional: true, description: 'Input of the command.' }),
      output: attribute.dynamic({ computed: true, description: 'Output of the command.' }),
      sensitive_output: attribute.dynamic({
        computed: true,
        sensitive: true,
        description: 'Sensitive output of the command.',
      }),
      ...executionAttributes,
    },
  }),
  async read({ config, client, signal }) {
    const request = { input: config.input }
    const answer = await client.call({ operation: 'read', words: config.read, execution: config, request, signal })
    return { ...config, output: answer?.output ?? null!, sensitive_output: answer?.sensitive_output ?? null! }
  },
})
