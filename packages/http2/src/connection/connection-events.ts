import type { HeaderField } from '../hpack/index.ts'
import type { Http2Stream, StreamEvents } from './http2-stream.ts'

/** Callbacks to the owner of a connection. */
export interface ConnectionEvents {
  /** Called when the peer's SETTINGS arrived, and again on every later SETTINGS frame. */
  ready(): void
  /** Size of the peer's HPACK dynamic table in bytes: the encoder must not exceed it. */
  headerTable?(size: number): void
  /** The peer opened a stream. Returns the stream's handler, or undefined to refuse it. Never called on a client. */
  opened(stream: Http2Stream, fields: readonly HeaderField[], endStream: boolean): StreamEvents | undefined
  /** The peer sent GOAWAY: no new streams may be opened. */
  goingAway(error: Error): void
  /** A stream ended, so a waiting request may find a free stream. */
  streamEnded(): void
  /** The connection closed; `error` is undefined for an orderly close. Called once, after every stream was notified. */
  closed(error: Error | undefined): void
}
