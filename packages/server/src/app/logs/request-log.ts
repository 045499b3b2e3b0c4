import type { AnswerFacts, Request } from '../../http/index.ts'
import type { Logger } from './logger.ts'

/** Logs an answered request without its query, which may contain sensitive values. */
export function logRequest(
  logger: Logger,
  { user, status, milliseconds }: AnswerFacts,
  { method, path, peer }: Request,
): void {
  logger.debug('request', {
    method: clipped(method),
    path: clipped(path),
    user: user?.name,
    address: peer.address,
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
  })
}

/** Logs refused credentials, rate-limited: a flood becomes a few lines and a count. */
export class RefusedCredentialsLog {
  readonly #logger: Logger
  #lines = 0
  #dropped = 0
  #window: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  refused({ cause }: Error, { method, path, peer }: Request): void {
    this.#window ??= setTimeout(this.#windowEnded, windowMilliseconds).unref()
    if (this.#lines >= linesPerWindow) {
      this.#dropped++
      return
    }
    this.#lines++
    this.#logger.info('authentication failed', {
      address: peer.address,
      method: clipped(method),
      path: clipped(path),
      why: cause instanceof Error ? clipped(cause.message) : undefined,
    })
  }

  readonly #windowEnded = (): void => {
    if (this.#dropped > 0) this.#logger.info('more authentications failed', { count: this.#dropped })
    this.#lines = 0
    this.#dropped = 0
    this.#window = undefined
  }
}

const linesPerWindow = 10
const windowMilliseconds = 10_000
const longest = 1000

function clipped(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
