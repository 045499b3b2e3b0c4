import type { Clock } from '@hykube/machinery/base'
import type { ProviderLog } from '../../provider/index.ts'
import type { Logger } from './logger.ts'

/**
 * Forwards the logs of providers to the server's log: warnings and errors always, others at debug level. It is rate-limited per provider, and
 * reports the number of dropped lines.
 */
export function providerLog(logger: Logger, clock: Clock): (log: ProviderLog) => void {
  const windows = new Map<string, LogWindow>()
  return ({ source, level, message, module, fields }) => {
    const now = clock.monotonic()
    const window = current(windows, source, now, logger)
    if (++window.lines > mostLines) return
    const facts = { provider: source, level, ...(module !== undefined && { module }) }
    if (level === 'error' || level === 'warn') logger.info(message.slice(0, longestLine), facts)
    else logger.debug(message.slice(0, longestLine), { ...facts, ...(fields !== undefined && { fields }) })
  }
}

/** Returns the log level for providers by the server's verbosity; undefined leaves their own default. */
export function providerLogLevel(verbosity: number): 'debug' | 'trace' | undefined {
  if (verbosity >= 4) return 'trace'
  return verbosity >= 2 ? 'debug' : undefined
}

interface LogWindow {
  readonly since: number
  lines: number
}

// Lines per window of ten seconds, and characters per line.
const mostLines = 500
const windowLength = 10_000
const longestLine = 4096

function current(windows: Map<string, LogWindow>, source: string, now: number, logger: Logger): LogWindow {
  const known = windows.get(source)
  if (known !== undefined && now - known.since < windowLength) return known
  if (known !== undefined && known.lines > mostLines)
    logger.info(`${known.lines - mostLines} log lines of the provider were dropped`, {
      provider: source,
      level: 'warn',
    })
  const window = { since: now, lines: 0 }
  windows.set(source, window)
  return window
}
