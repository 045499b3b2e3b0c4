import { attribute, block, defineProvider, schema } from '@hykube/provider-sdk/provider'
import { localMachine } from './local-machine.ts'
import { Scripts } from './scripts.ts'
import { SshMachine } from './ssh-machine.ts'
import { scriptData } from './types/data.ts'
import { mannerAttributes, timeoutProblem } from './types/manner.ts'
import { scriptResource } from './types/resource.ts'

/** Resources made by commands, on this machine or over SSH on another. */
export const scriptProvider = defineProvider({
  name: 'script',
  version: '0.1.0',
  schema: schema({
    description: 'Resources made by commands, on this machine or over SSH on another.',
    attributes: {
      ...mannerAttributes,
      timeout: attribute.number({
        default: 600,
        description: 'How long a command may take, in seconds.',
        validate: timeoutProblem,
      }),
    },
    blocks: {
      connection: block.single({
        description: 'The machine on which commands run, reached by the `ssh` of this one. Without it: this machine.',
        attributes: {
          host: attribute.string({ required: true, validate: hostProblem }),
          user: attribute.string({ optional: true, validate: userProblem }),
          port: attribute.number({ default: 22, validate: portProblem }),
          private_key: attribute.string({
            optional: true,
            sensitive: true,
            description: 'The key itself, in the form of OpenSSH or PEM, without a passphrase.',
          }),
          host_key: attribute.string({
            optional: true,
            description: 'The key of the host, as `ssh-ed25519 AAAA…`; by default it must be known to this machine.',
          }),
        },
      }),
    },
  }),
  configure({ config }) {
    const { connection, environment, sensitive_environment: sensitive } = config
    return new Scripts(connection === null ? localMachine : new SshMachine(connection), {
      environment: environment ?? {},
      sensitive: sensitive ?? {},
      directory: config.working_directory,
      interpreter: config.interpreter ?? [],
      timeout: config.timeout,
      secrets: connection?.private_key ? [connection.private_key] : [],
    })
  },
  resources: { script_resource: scriptResource },
  dataSources: { script_data: scriptData },
})

// It stands among the arguments of ssh, where a dash begins an option.
function hostProblem(host: string): string | undefined {
  return /^[A-Za-z0-9_[][A-Za-z0-9._:%\]-]*$/.test(host) ? undefined : 'It must be a name or an address.'
}

function userProblem(user: string): string | undefined {
  return /^[A-Za-z0-9_][A-Za-z0-9._@-]*$/.test(user) ? undefined : 'It must be the name of a user.'
}

function portProblem(port: number): string | undefined {
  return Number.isInteger(port) && port > 0 && port < 65_536 ? undefined : 'It must be from 1 to 65535.'
}
