/** The server's log: one JSON document per line, without secrets. */
export interface Logger {
  error(message: string, facts?: Facts): void
  info(message: string, facts?: Facts): void
  debug(message: string, facts?: Facts): void
}

export type Facts = Readonly<Record<string, unknown>>

/** Logs to stderr. Verbosity 0 logs errors and information; 1 and more adds debug messages. */
export function createLogger(verbosity: number): Logger {
  const write =
    (level: string) =>
    (message: string, facts: Facts = {}) =>
      void process.stderr.write(logLine({ time: new Date().toISOString(), level, message, ...facts }))
  return { error: write('error'), info: write('info'), debug: verbosity > 0 ? write('debug') : () => {} }
}

/**
 * Formats one line of JSON. It also escapes control characters that JSON leaves unescaped and terminals interpret: C1 controls, line separators
 * and text direction marks.
 */
export function logLine(document: object): string {
  const escaped = JSON.stringify(document).replace(
    terminalControls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${escaped}\n`
}

const terminalControls = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
