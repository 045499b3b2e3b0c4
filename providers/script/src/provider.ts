import { attribute, block, defineProvider, schema } from '@hykube/provider-sdk/provider'
import { localMachine } from './local-machine.ts'
import { Scripts } from './scripts.ts'
import { SshMachine } from './ssh-machine.ts'
import { scriptData } from './types/data.ts'
import { executionAttributes, timeoutProblem } from './types/execution-options.ts'
import { scriptResource } from './types/resource.ts'

/** Resources managed by commands, on this machine or over SSH. */
export const scriptProvider = defineProvider({
  name: 'script',
  version: '0.1.0',
  schema: schema({
    description: 'Resources managed by commands, on this machine or over SSH.',
    attributes: {
      ...executionAttributes,
      timeout: attribute.number({
        default: 600,
        description: 'Timeout of a command, in seconds.',
        validate: timeoutProblem,
      }),
    },
    blocks: {
      connection: block.single({
        description: 'The machine that runs the commands, reached with `ssh`. Default: this machine.',
        attributes: {
          host: attribute.string({ required: true, validate: hostProblem }),
          user: attribute.string({ optional: true, validate: userProblem }),
          port: attribute.number({ default: 22, validate: portProblem }),
          private_key: attribute.string({
            optional: true,
            sensitive: true,
            description: 'The private key itself, in OpenSSH or PEM format, without a passphrase.',
          }),
          host_key: attribute.string({
            optional: true,
            description:
              'The public key of the host, such as `ssh-ed25519 AAAA…`. Default: the known_hosts of this machine.',
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

// The host is an argument of ssh, where a leading dash would be an option.
function hostProblem(host: string): string | undefined {
  return /^[A-Za-z0-9_[][A-Za-z0-9._:%\]-]*$/.test(host) ? undefined : 'It must be a name or an address.'
}

function userProblem(user: string): string | undefined {
  return /^[A-Za-z0-9_][A-Za-z0-9._@-]*$/.test(user) ? undefined : 'It must be a user name.'
}

function portProblem(port: number): string | undefined {
  return Number.isInteger(port) && port > 0 && port < 65_536 ? undefined : 'It must be from 1 to 65535.'
}
