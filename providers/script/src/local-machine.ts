import type { Machine } from './machine.ts'
import { runProcess } from './run-process.ts'

/** Runs commands on the machine of the provider. */
export const localMachine: Machine = {
  name: 'this machine',
  run: ({ words: [program, ...args], environment, ...rest }) =>
    runProcess({ ...rest, program, args, environment: { ...basicEnvironment(), ...environment } }),
}

/** Variables that programs need; the rest of the provider's environment is not passed on. */
// biome-ignore lint/style/noProcessEnv: the environment of a provider is the one its host gave it.
export function basicEnvironment(own: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']
  return Object.fromEntries(names.flatMap((name) => (own[name] ? [[name, own[name]]] : [])))
}
