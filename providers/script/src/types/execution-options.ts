import { attribute, valueType } from '@hykube/provider-sdk/provider'

/** Validates a command line. */
export function commandProblem(words: readonly string[]): string | undefined {
  return words.length > 0 ? undefined : 'It needs at least the name of a program.'
}

/** Validates names of environment variables. */
export function environmentProblem(variables: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.keys(variables).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not a valid name of a variable.`
}

/** Validates a timeout in seconds. */
export function timeoutProblem(seconds: number): string | undefined {
  return seconds > 0 && seconds <= 86_400 ? undefined : 'It must be more than 0 and at most 86400 seconds.'
}

/** Execution options. */
export const executionAttributes = {
  interpreter: attribute.list(valueType.string, {
    optional: true,
    description: 'Prefix of each command, such as `["/bin/sh", "-c"]`. Default: no shell.',
  }),
  working_directory: attribute.string({ optional: true, description: 'Working directory of the commands.' }),
  environment: attribute.map(valueType.string, {
    optional: true,
    description: 'Environment variables of the commands.',
    validate: environmentProblem,
  }),
  sensitive_environment: attribute.map(valueType.string, {
    optional: true,
    sensitive: true,
    description: 'Sensitive environment variables of the commands.',
    validate: environmentProblem,
  }),
  timeout: attribute.number({
    optional: true,
    description: 'Timeout of a command, in seconds. Default: the timeout of the provider.',
    validate: timeoutProblem,
  }),
}
