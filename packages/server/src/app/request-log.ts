import type { AnswerFacts, Request } from '../http/index.ts'
import type { Logger } from './logger.ts'

/** Logs an answered request. The query is left out: it may hold what its client would not show. */
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

/** Logs refused credentials, but no more lines than an operator can read: a flood becomes a few lines and a number. */
export class RefusedCredentialsLog {
  readonly #logger: Logger
  #lines = 0
  #left = 0
  #window: NodeJS.Timeout | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  refused({ cause }: Error, { method, path, peer }: Request): void {
    this.#window ??= setTimeout(this.#windowEnded, windowMilliseconds).unref()
    if (this.#lines >= linesPerWindow) {
      this.#left++
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
    if (this.#left > 0) this.#logger.info('more authentications failed', { count: this.#left })
    this.#lines = 0
    this.#left = 0
    this.#window = undefined
  }
}

const linesPerWindow = 10
const windowMilliseconds = 10_000
const longest = 1000

function clipped(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
