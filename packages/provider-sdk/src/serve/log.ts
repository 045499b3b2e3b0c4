import type { Logger } from '../provider/index.ts'

/** The log levels; each includes those after it. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const

export type LogLevel = (typeof logLevels)[number]

export interface LogOptions {
  readonly level: LogLevel
  /** The module name in the host's log. */
  readonly module: string
  readonly write: (line: string) => void
  readonly now: () => number
}

/** Logs in the JSON format of go-hclog, one object per line, which plugin hosts parse from standard error. */
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

/** Returns the log level from Terraform's variables: TF_LOG_PROVIDER_<NAME>, else TF_LOG_PROVIDER, else TF_LOG. */
export function logLevelFrom(env: Readonly<Record<string, string | undefined>>, provider: string): LogLevel {
  const own = `TF_LOG_PROVIDER_${provider.toUpperCase().replaceAll('-', '_')}`
  const requested = (env[own] || env.TF_LOG_PROVIDER || env.TF_LOG || '').toLowerCase()
  if (requested === 'json') return 'trace'
  return logLevels.find((level) => level === requested) ?? 'info'
}
