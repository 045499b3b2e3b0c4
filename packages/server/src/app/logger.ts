/** Where the server tells an operator what happens. One JSON document a line; never a secret. */
export interface Logger {
  error(message: string, facts?: Facts): void
  info(message: string, facts?: Facts): void
  debug(message: string, facts?: Facts): void
}

export type Facts = Readonly<Record<string, unknown>>

/** Logs to stderr. Verbosity 0 keeps to errors and information, 1 and more adds detail. */
export function createLogger(verbosity: number): Logger {
  const write =
    (level: string) =>
    (message: string, facts: Facts = {}) =>
      void process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...facts })}\n`)
  return { error: write('error'), info: write('info'), debug: verbosity > 0 ? write('debug') : () => {} }
}
