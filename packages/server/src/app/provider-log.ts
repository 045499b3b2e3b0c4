import type { Clock } from '@hykube/machinery/base'
import type { ProviderLog } from '../provider/index.ts'
import type { Logger } from './logger.ts'

/**
 * Passes what providers say on into the server's log: warnings and errors always, the rest as detail. Of a provider that says
 * too much some is left out, and how much that was is told.
 */
export function providerLog(logger: Logger, clock: Clock): (log: ProviderLog) => void {
  const spells = new Map<string, Spell>()
  return ({ source, level, message, module, fields }) => {
    const now = clock.monotonic()
    const spell = current(spells, source, now, logger)
    if (++spell.lines > mostLines) return
    const facts = { provider: source, level, ...(module !== undefined && { module }) }
    if (level === 'error' || level === 'warn') logger.info(message.slice(0, longestLine), facts)
    else logger.debug(message.slice(0, longestLine), { ...facts, ...(fields !== undefined && { fields }) })
  }
}

/** How much of what a provider says is asked for and passed on, by the server's verbosity; undefined: what it says by itself. */
export function providerLogLevel(verbosity: number): 'debug' | 'trace' | undefined {
  if (verbosity >= 4) return 'trace'
  return verbosity >= 2 ? 'debug' : undefined
}

interface Spell {
  readonly since: number
  lines: number
}

const mostLines = 500
const spellLength = 10_000
const longestLine = 4096

function current(spells: Map<string, Spell>, source: string, now: number, logger: Logger): Spell {
  const known = spells.get(source)
  if (known !== undefined && now - known.since < spellLength) return known
  if (known !== undefined && known.lines > mostLines)
    logger.info(`${known.lines - mostLines} lines of the provider were left out`, { provider: source, level: 'warn' })
  const spell = { since: now, lines: 0 }
  spells.set(source, spell)
  return spell
}
