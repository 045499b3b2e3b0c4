import { connect, type Socket } from 'node:net'
import { clientPreface, frame, frameTypes, settingsFrame } from '../../frames/index.ts'
import { encodeHeaders, type HeaderField } from '../../hpack/index.ts'

/** A frame that the client received. */
export interface RawFrame {
  readonly type: number
  readonly flags: number
  readonly id: number
  readonly content: Buffer
}

/** A client that sends arbitrary bytes and records the frames it receives. */
export class RawHttp2Client {
  readonly socket: Socket
  readonly frames: RawFrame[] = []
  #rest: Buffer = Buffer.alloc(0)
  #ended = false
  #waiters: (() => void)[] = []

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#ended = true
      this.#wakeWaiters()
    })
  }

  /** Connects and sends nothing. */
  static connect(port: number): Promise<RawHttp2Client> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new RawHttp2Client(socket)))
      socket.once('error', reject)
    })
  }

  /** Connects, and sends the preface and empty SETTINGS. */
  static async start(port: number): Promise<RawHttp2Client> {
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([]))
    return client
  }

  get ended(): boolean {
    return this.#ended
  }

  send(...pieces: readonly Uint8Array[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(pieces))
  }

  /** Waits until `find` returns a value for the received frames, or the connection ends. */
  async until<T>(find: (frames: readonly RawFrame[]) => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = find(this.frames)
      if (found !== undefined || this.#ended) return found
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  /** Waits for the end of the connection. */
  async end(): Promise<void> {
    while (!this.#ended) await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  /** Waits for GOAWAY and returns its error code. */
  async goawayCode(): Promise<number | undefined> {
    await this.until((frames) => frames.find(({ type }) => type === frameTypes.GOAWAY))
    return this.frames.find(({ type }) => type === frameTypes.GOAWAY)?.content.readUInt32BE(4)
  }

  /** Waits for RST_STREAM and returns its error code; undefined after GOAWAY. */
  async resetOf(stream: number): Promise<number | undefined> {
    const found = await this.until((frames) =>
      frames.find(({ type, id }) => (type === frameTypes.RST_STREAM && id === stream) || type === frameTypes.GOAWAY),
    )
    return found?.type === frameTypes.RST_STREAM ? found.content.readUInt32BE(0) : undefined
  }

  /** Waits for the end of a stream and returns the body of its response. */
  async bodyOf(stream: number): Promise<string> {
    const own = (frames: readonly RawFrame[]) => frames.filter(({ id }) => id === stream)
    await this.until((frames) =>
      own(frames).find(
        ({ type, flags }) => (type <= frameTypes.HEADERS && (flags & 1) !== 0) || type === frameTypes.RST_STREAM,
      ),
    )
    return Buffer.concat(
      own(this.frames)
        .filter(({ type }) => type === frameTypes.DATA)
        .map(({ content }) => content),
    ).toString()
  }

  #received(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= 9) {
      const end = 9 + this.#rest.readUIntBE(0, 3)
      if (this.#rest.length < end) break
      const [type, flags, id] = [this.#rest[3]!, this.#rest[4]!, this.#rest.readUInt32BE(5)]
      this.frames.push({ type, flags, id, content: this.#rest.subarray(9, end) })
      this.#rest = this.#rest.subarray(end)
    }
    this.#wakeWaiters()
  }

  #wakeWaiters(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }
}

/** Builds a request's HEADERS frame. */
export function requestFrame(
  stream: number,
  options: { readonly path?: string; readonly end?: boolean; readonly also?: readonly HeaderField[] } = {},
): Buffer {
  const { path = '/', end = true, also = [] } = options
  const fields: HeaderField[] = [
    [':method', end ? 'GET' : 'POST'],
    [':scheme', 'https'],
    [':path', path],
    [':authority', 'localhost'],
    ...also,
  ]
  return frame(frameTypes.HEADERS, end ? 5 : 4, stream, encodeHeaders(fields))
}
