import type { Logger } from '../provider/index.ts'

/** How much is logged; each level includes those after it. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const

export type LogLevel = (typeof logLevels)[number]

export interface LogOptions {
  readonly level: LogLevel
  /** Which part of the host's log it is. */
  readonly module: string
  readonly write: (line: string) => void
  readonly now: () => number
}

/** A log as hosts of plugins read it: a JSON object a line. */
export function jsonLog({ level, module, write, now }: LogOptions): Logger {
  const least = logLevels.indexOf(level)
  const at = (name: Exclude<LogLevel, 'off'>) => {
    const enabled = logLevels.indexOf(name) >= least
    return (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (!enabled) return
      const entry = {
        '@level': name,
        '@message': message,
        '@module': module,
        '@timestamp': new Date(now()).toISOString(),
      }
      write(`${JSON.stringify({ ...fields, ...entry })}\n`)
    }
  }
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** The level that the environment asks for, by Terraform's variables: the provider's own, all providers', everything's. */
export function logLevelFrom(env: Readonly<Record<string, string | undefined>>, provider: string): LogLevel {
  const own = `TF_LOG_PROVIDER_${provider.toUpperCase().replaceAll('-', '_')}`
  const asked = (env[own] || env.TF_LOG_PROVIDER || env.TF_LOG || '').toLowerCase()
  if (asked === 'json') return 'trace'
  return logLevels.find((level) => level === asked) ?? 'info'
}
