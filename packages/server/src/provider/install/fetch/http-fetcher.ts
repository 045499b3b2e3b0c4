import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type IncomingMessage, Agent as PlainAgent, get as plainGet } from 'node:http'
import { get as secureGet, Agent as TlsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { abortReason, isAbortError } from '@hykube/machinery/base'
import { EgressRefused } from '../../../egress/index.ts'
import { InstallFailure } from '../install-failure.ts'
import type { CompleteSettings } from '../installer-settings.ts'

export interface FetchOptions {
  /** The attempted operation, which starts every message: `cannot list the versions of hashicorp/aws`. */
  readonly what: string
  /** A bearer token. It is sent only to its own origin, also when a redirect or a document's URL leads to another host. */
  readonly token?: OriginToken | undefined
  /** Largest answer in bytes. Default: the limit of documents. */
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
}

/** A bearer token and the origin that it is for: `https://registry.example.com`. */
export interface OriginToken {
  readonly origin: string
  readonly value: string
}

export interface DownloadOptions extends FetchOptions {
  readonly file: string
  readonly received?: (bytes: number, total: number | undefined) => void
}

/** A response body in memory, and the URL it came from after redirects. */
export interface Fetched {
  readonly bytes: Buffer
  readonly url: URL
}

/**
 * HTTP client for registries and mirrors. Limits the size, duration and redirects of a request, checks every URL with the
 * egress guard, and retries transient failures. Fails with InstallFailure.
 */
export class HttpFetcher {
  readonly #settings: CompleteSettings
  readonly #plain: PlainAgent
  readonly #secure: TlsAgent

  constructor(settings: CompleteSettings) {
    this.#settings = settings
    const proxyEnv = settings.proxyEnvironment
    const { certificateAuthorities: trusted } = settings
    this.#plain = new PlainAgent({ proxyEnv })
    this.#secure = new TlsAgent({ proxyEnv, ...(trusted.length > 0 && { ca: [...trusted] }) })
  }

  /** Fetches a document into memory. */
  fetch(url: URL, options: FetchOptions): Promise<Fetched> {
    const { limits } = this.#settings
    return this.#withRetries(options, limits.documentTimeout, async (signal) => {
      const { response, url: from } = await this.#open(url, { ...options, signal })
      const { limit = limits.document } = options
      const chunks: Buffer[] = []
      await pipeline(response, bounded(limit, from, options.what), collectInto(chunks), { signal })
      return { bytes: Buffer.concat(chunks), url: from }
    })
  }

  /** Fetches and parses a JSON document. */
  async fetchJson(url: URL, options: FetchOptions): Promise<{ readonly json: unknown; readonly url: URL }> {
    const { bytes, url: from } = await this.fetch(url, options)
    try {
      return { json: JSON.parse(bytes.toString('utf8')) as unknown, url: from }
    } catch (cause) {
      throw new InstallFailure('RegistryInvalid', `${options.what}: ${redactedUrl(from)} did not return JSON`, {
        cause,
      })
    }
  }

  /** Downloads into a file and computes the SHA-256 on the way. */
  download(url: URL, options: DownloadOptions): Promise<{ readonly sha256: string; readonly size: number }> {
    const { limits } = this.#settings
    return this.#withRetries(options, limits.archiveTimeout, async (signal) => {
      const { response, url: from } = await this.#open(url, { ...options, signal })
      const length = response.headers['content-length']
      const total = length === undefined ? undefined : Number(length)
      const { limit = limits.archive, file } = options
      if (total !== undefined && total > limit) {
        response.destroy()
        throw tooLarge(limit, from, options.what)
      }
      const hash = createHash('sha256')
      let size = 0
      const watch = new Transform({
        transform(chunk: Buffer, _, done) {
          hash.update(chunk)
          size += chunk.length
          options.received?.(size, total)
          done(null, chunk)
        },
      })
      const limited = bounded(limit, from, options.what)
      await pipeline(response, limited, watch, createWriteStream(file, { mode: 0o600 }), { signal })
      return { sha256: hash.digest('hex'), size }
    })
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  async #withRetries<T>(options: FetchOptions, time: number, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { limits, clock } = this.#settings
    for (let left = limits.retries, wait = limits.retryDelay; ; left--, wait *= 2) {
      const deadline = AbortSignal.timeout(time)
      const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal])
      try {
        return await attempt(signal)
      } catch (error) {
        const failure = failureFrom(error, options, deadline, time)
        if (!failure.transient || left <= 0) throw failure
      }
      await clock.sleep(wait, options.signal)
    }
  }

  async #open(start: URL, options: FetchOptions & { readonly signal: AbortSignal }): Promise<Opened> {
    const { redirects } = this.#settings.limits
    let url = start
    for (let left = redirects; ; left--) {
      this.#checkAddress(url, options.what)
      const response = await this.#request(url, options)
      const { statusCode = 0 } = response
      if (statusCode === 200) return { response, url }
      response.destroy()
      const { location } = response.headers
      if (!redirectCodes.has(statusCode) || location === undefined) throw refusal(statusCode, url, options)
      if (left === 0)
        throw new InstallFailure(
          'TooManyRedirects',
          `${options.what}: ${redactedUrl(start)} redirects more than ${redirects} times`,
        )
      url = redirectTarget(location, url, options.what)
    }
  }

  #request(url: URL, options: FetchOptions & { readonly signal: AbortSignal }): Promise<IncomingMessage> {
    const { idleTimeout } = this.#settings.limits
    const isSecure = url.protocol === 'https:'
    const headers: Record<string, string> = { 'user-agent': 'hykube', accept: '*/*' }
    if (options.token?.origin === url.origin) headers.authorization = `Bearer ${options.token.value}`
    return new Promise((resolve, reject) => {
      const make = isSecure ? secureGet : plainGet
      const agent = isSecure ? this.#secure : this.#plain
      const lookup = this.#settings.egress.lookup as LookupFunction
      const request = make(url, { agent, headers, lookup, signal: options.signal, timeout: idleTimeout })
      let body: IncomingMessage | undefined
      request.once('response', (response) => {
        body = response
        resolve(response)
      })
      request.on('error', reject)
      // The socket's idle timeout also covers the body, so a stalled download fails too.
      request.on('timeout', () => {
        const message = `${options.what}: ${redactedUrl(url)} sent nothing for ${idleTimeout} ms; check that it is up`
        ;(body ?? request).destroy(new InstallFailure('Timeout', message))
      })
    })
  }

  #checkAddress(url: URL, what: string): void {
    try {
      this.#settings.egress.checkUrl(url)
    } catch (error) {
      throw refusedAddress(error as Error, what)
    }
  }
}

/** A URL for messages, without user, password, query and fragment, because these may hold secrets. */
export function redactedUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

interface Opened {
  readonly response: IncomingMessage
  readonly url: URL
}

const redirectCodes = new Set([301, 302, 303, 307, 308])

function refusedAddress(error: Error, what: string): InstallFailure {
  return new InstallFailure('InsecureUrl', `${what}: ${error.message}`, { cause: error })
}

function redirectTarget(location: string, from: URL, what: string): URL {
  try {
    return new URL(location, from)
  } catch (cause) {
    const message = `${what}: ${redactedUrl(from)} redirects to an invalid URL`
    throw new InstallFailure('RegistryInvalid', message, { cause })
  }
}

function refusal(status: number, url: URL, { what, token }: FetchOptions): InstallFailure {
  const where = `${what}: ${redactedUrl(url)} answered ${status}`
  if (status === 404 || status === 410) return new InstallFailure('NotFound', where)
  if (status === 401 || status === 403) {
    const advice = token === undefined ? `provide a token for ${url.host}` : `check the token for ${url.host}`
    return new InstallFailure('AccessDenied', `${where}; ${advice}`)
  }
  if (status === 408 || status === 429 || status >= 500)
    return new InstallFailure('RegistryUnreachable', `${where}; try again later`)
  return new InstallFailure('RegistryInvalid', where)
}

function failureFrom(
  error: unknown,
  { what, signal }: FetchOptions,
  deadline: AbortSignal,
  time: number,
): InstallFailure {
  if (error instanceof InstallFailure) return error
  if (error instanceof EgressRefused) return refusedAddress(error, what)
  if (signal?.aborted === true) {
    const reason = abortReason(signal)
    return new InstallFailure('Canceled', `${what}: it was canceled: ${reason.message}`, { cause: reason })
  }
  if (deadline.aborted && (isAbortError(error) || (error as Error).name === 'TimeoutError'))
    return new InstallFailure('Timeout', `${what}: it did not complete within ${time} ms`)
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== undefined && localCodes.has(code))
    return new InstallFailure('StorageFailed', `${what}: cannot write: ${message}`, { cause: error })
  return new InstallFailure('RegistryUnreachable', `${what}: ${message || code}; check the network`, { cause: error })
}

// Errors of the local file system, as opposed to those of sockets.
const localCodes = new Set(['ENOSPC', 'EACCES', 'EROFS', 'ENOENT', 'EDQUOT', 'EIO', 'EISDIR'])

function tooLarge(limit: number, url: URL, what: string): InstallFailure {
  return new InstallFailure('TooLarge', `${what}: ${redactedUrl(url)} is larger than ${limit} bytes`)
}

function bounded(limit: number, url: URL, what: string): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > limit) done(tooLarge(limit, url, what))
      else done(null, chunk)
    },
  })
}

function collectInto(chunks: Buffer[]): (source: AsyncIterable<Buffer>) => Promise<void> {
  return async (source) => {
    for await (const chunk of source) chunks.push(chunk)
  }
}
