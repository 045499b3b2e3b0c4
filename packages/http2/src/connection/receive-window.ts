import { frameTypes, Http2Error, numberFrame } from '../frames/index.ts'
import type { FrameWriter } from './frame-writer.ts'

/**
 * Receive window of the whole connection. Bytes are returned on arrival, not on consumption, because each stream's own
 * window already bounds what is buffered.
 */
export class ReceiveWindow {
  readonly #writer: FrameWriter
  readonly #size: number
  #left: number
  #unreturned = 0

  constructor(writer: FrameWriter, size: number) {
    this.#writer = writer
    this.#size = size
    this.#left = size
  }

  /** Counts received bytes. Throws FLOW_CONTROL_ERROR when the peer exceeded the window. */
  take(length: number): void {
    this.#left -= length
    if (this.#left < 0) throw new Http2Error('FLOW_CONTROL_ERROR', 'more was sent than the window allows')
    this.#unreturned += length
    if (this.#unreturned < this.#size / 2) return
    this.#left += this.#unreturned
    this.#writer.write(numberFrame(frameTypes.WINDOW_UPDATE, 0, this.#unreturned))
    this.#unreturned = 0
  }
}
