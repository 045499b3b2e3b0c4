import { attribute, definitionsFor, schema, valueType } from '@hykube/provider-sdk/provider'
import type { Scripts } from '../scripts.ts'
import { commandProblem, mannerAttributes } from './manner.ts'

const { dataSource } = definitionsFor<Scripts>()

/** Something that a command looks up. */
export const scriptData = dataSource({
  schema: schema({
    description: 'What a command finds out. It speaks JSON on standard input and output, and must change nothing.',
    attributes: {
      read: attribute.list(valueType.string, {
        required: true,
        validate: commandProblem,
        description: 'Program and arguments; no shell reads them.',
      }),
      input: attribute.dynamic({ optional: true, description: 'What is asked: told to the command.' }),
      output: attribute.dynamic({ computed: true, description: 'What the command found.' }),
      sensitive_output: attribute.dynamic({
        computed: true,
        sensitive: true,
        description: 'The same, for what must not be shown.',
      }),
      ...mannerAttributes,
    },
  }),
  async read({ config, client, signal }) {
    const told = { input: config.input }
    const answer = await client.call({ operation: 'read', words: config.read, manner: config, told, signal })
    return { ...config, output: answer?.output ?? null!, sensitive_output: answer?.sensitive_output ?? null! }
  },
})
