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
      void process.stderr.write(logLine({ time: new Date().toISOString(), level, message, ...facts }))
  return { error: write('error'), info: write('info'), debug: verbosity > 0 ? write('debug') : () => {} }
}

/**
 * One line of JSON. Characters that a terminal obeys are escaped, those too that JSON leaves as they are: C1 controls,
 * line separators and the marks that turn the direction of text.
 */
export function logLine(document: object): string {
  const escaped = JSON.stringify(document).replace(
    obeyedByTerminals,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${escaped}\n`
}

const obeyedByTerminals = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
