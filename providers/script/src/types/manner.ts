import { attribute, valueType } from '@hykube/provider-sdk/provider'

/** The words of a command. */
export function commandProblem(words: readonly string[]): string | undefined {
  return words.length > 0 ? undefined : 'It needs at least the name of a program.'
}

/** Variables that shells and programs can read. */
export function environmentProblem(variables: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.keys(variables).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} can't be the name of a variable.`
}

/** A time in seconds. */
export function timeoutProblem(seconds: number): string | undefined {
  return seconds > 0 && seconds <= 86_400 ? undefined : 'It must be more than 0 and at most 86400 seconds.'
}

/** How commands are run. */
export const mannerAttributes = {
  interpreter: attribute.list(valueType.string, {
    optional: true,
    description: 'Words that come before each command, such as `["/bin/sh", "-c"]`. Without it no shell is involved.',
  }),
  working_directory: attribute.string({ optional: true, description: 'Where commands run.' }),
  environment: attribute.map(valueType.string, {
    optional: true,
    description: 'Variables of the commands.',
    validate: environmentProblem,
  }),
  sensitive_environment: attribute.map(valueType.string, {
    optional: true,
    sensitive: true,
    description: 'Variables of the commands that are never shown.',
    validate: environmentProblem,
  }),
  timeout: attribute.number({
    optional: true,
    description: 'How long a command may take, in seconds. By default what the provider says.',
    validate: timeoutProblem,
  }),
}
