import type { HeaderField } from './header-field.ts'
import type { Http2Stream, StreamEvents } from './http2-stream.ts'

/** Whoever owns a connection hears of it through these. */
export interface ConnectionEvents {
  /** The other side has said how it wants to be spoken to; afterwards also whenever a limit changes. */
  ready(): void
  /** The other side remembers this much of what our headers repeat. */
  headerTable?(size: number): void
  /** The other side opened a stream: who hears of it from now on, or undefined to refuse it. Never called on a client. */
  opened(stream: Http2Stream, fields: readonly HeaderField[], endStream: boolean): StreamEvents | undefined
  /** The other side takes no more streams. */
  goingAway(error: Error): void
  /** A stream ended, so that there may be room for another. */
  streamEnded(): void
  /** The connection is gone; undefined when it was closed on purpose. Called once, after every stream heard. */
  closed(error: Error | undefined): void
}
