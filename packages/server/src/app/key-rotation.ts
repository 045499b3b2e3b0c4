import { type Clock, Mutex } from '@hykube/machinery/base'
import { StatusError } from '@hykube/machinery/status'
import type { RingSealer, Store } from '../storage/index.ts'

/** The state of the keys as `GET /keys` answers it. Keys themselves never leave the server. */
export interface KeyStatus {
  readonly masterKey: {
    readonly id: string
    readonly source: string
    /** True when the server can create a new one by itself. */
    readonly managed: boolean
  }
  /** The key that encrypts new values comes first. */
  readonly dataKeys: readonly { readonly id: number; readonly created: string }[]
  readonly rotation?: {
    readonly phase: 'Running' | 'Finished'
    readonly started: string
    readonly finished?: string
    /** The number of values encrypted with the new key so far. */
    readonly rewritten: number
  }
}

export interface KeyRotationParts {
  readonly store: Store
  readonly sealer: RingSealer
  /** True when other servers may use the same store. */
  readonly isShared: boolean
  readonly clock: Clock
  readonly report: (message: string) => void
}

/**
 * Rotates the keys of the store. One commit to the key ring adds the new data key and records the running rotation. From then on both keys
 * decrypt values, so a crash leaves everything readable, and the next server continues rewriting.
 */
export class KeyRotation {
  readonly #parts: KeyRotationParts
  readonly #mutex = new Mutex()
  #wake: () => void = () => {}

  constructor(parts: KeyRotationParts) {
    this.#parts = parts
  }

  async status(): Promise<KeyStatus> {
    const { sealer, isShared } = this.#parts
    const { current, keys, rotation } = await sealer.ring()
    const sorted = keys.toSorted((a, b) => Number(b.id === current) - Number(a.id === current) || b.made - a.made)
    return {
      masterKey: {
        id: sorted[0]!.master,
        source: sealer.source.description,
        managed: sealer.source.rotate !== undefined && !isShared,
      },
      dataKeys: sorted.map(({ id, made }) => ({ id, created: timeText(made) })),
      ...(rotation !== undefined && {
        rotation: {
          phase: rotation.finished === undefined ? 'Running' : 'Finished',
          started: timeText(rotation.started),
          ...(rotation.finished !== undefined && { finished: timeText(rotation.finished) }),
          rewritten: rotation.rewritten,
        },
      }),
    }
  }

  /** Starts encrypting with a new data key; existing values are rewritten in the background. */
  rotateDataKey(): Promise<KeyStatus> {
    return this.#mutex.run(async () => {
      if ((await this.status()).rotation?.phase === 'Running')
        throw new StatusError('Conflict', 'the data key is already being rotated: wait until that has finished')
      await this.#parts.sealer.rotateDataKey()
      this.#wake()
      return this.status()
    })
  }

  /** Wraps the data keys with a new master key, which the server creates or the operator put first. */
  rotateMasterKey(): Promise<KeyStatus & { readonly oldKey?: string }> {
    return this.#mutex.run(async () => {
      const { sealer, isShared } = this.#parts
      const { source } = sealer
      const before = (await this.status()).masterKey.id
      if (source.rotate !== undefined && !isShared) {
        const oldKey = await source.rotate(() => sealer.rotateMasterKey())
        return { ...(await this.status()), oldKey }
      }
      await sealer.rotateMasterKey()
      const after = await this.status()
      if (after.masterKey.id !== before) return after
      throw new StatusError(
        'Conflict',
        `this server reads its master key from ${source.description} and finds no new key in first place there: ` +
          'put the new key after the old one on every server, then before it, and rotate again',
      )
    })
  }

  /** Rewrites values during a rotation, on one server at a time (`led`), and loads keys that other servers created. */
  async run(signal: AbortSignal, led: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>): Promise<void> {
    const learning = this.#parts.isShared ? this.#learn(signal) : undefined
    await led((term) => this.#lead(term)).catch((error: Error) => this.#report(error, signal))
    await learning
  }

  async #learn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(lookMilliseconds, signal).catch(() => {})
      if (!signal.aborted) await this.#parts.sealer.refresh().catch((error: Error) => this.#report(error, signal))
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { rotation } = await this.#parts.sealer.ring()
        if (rotation !== undefined && rotation.finished === undefined) await this.#rewrite(rotation, signal)
      } catch (error) {
        this.#report(error as Error, signal)
      }
      await this.#pause(signal)
    }
  }

  async #rewrite(
    rotation: { readonly started: number; readonly rewritten: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { store, sealer, clock, isShared } = this.#parts
    // Other servers encrypt with the old key until they have reloaded the key ring.
    const learned = rotation.started + 2 * lookMilliseconds
    if (isShared && clock.now() < learned) await clock.sleep(learned - clock.now(), signal).catch(() => {})
    let total = rotation.rewritten
    let recordedAt = clock.monotonic()
    const progress = (rewritten: number) => {
      if (clock.monotonic() - recordedAt < recordMilliseconds) return
      recordedAt = clock.monotonic()
      void sealer.recordRotation(total + rewritten).catch(() => {})
    }
    // Repeats until a pass finds nothing: then no value needs the old keys.
    for (let found = 1; found > 0 && !signal.aborted; total += found) found = await store.rotate({ signal, progress })
    if (!signal.aborted) await sealer.recordRotation(total, clock.now())
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { clock, isShared } = this.#parts
    const ended = new AbortController()
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    // Without other servers only a failed attempt has to be retried.
    const milliseconds = isShared ? lookMilliseconds : retryMilliseconds
    const slept = clock.sleep(milliseconds, AbortSignal.any([signal, ended.signal])).catch(() => {})
    await Promise.race([woken, slept])
    ended.abort()
  }

  #report(error: Error, signal: AbortSignal): void {
    if (!signal.aborted) this.#parts.report(`cannot rotate the data key: ${error.message}`)
  }
}

// Milliseconds between reloads of the key ring, between retries, and between records of the progress.
const lookMilliseconds = 5_000
const retryMilliseconds = 60_000
const recordMilliseconds = 1_000

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
