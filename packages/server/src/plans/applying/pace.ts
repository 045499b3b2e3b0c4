import type { Clock } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import { rateAnnotation } from '../api/plan-author.ts'

/** Spaces the changes of a Plan evenly. */
export class Pace {
  readonly #clock: Clock
  readonly #interval: number
  #next = 0

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#interval = 60_000 / perMinute
  }

  /** Waits until the next change may start; at most until the signal aborts, after which the caller begins nothing. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const at = Math.max(now, this.#next)
    this.#next = at + this.#interval
    if (at > now) await this.#clock.sleep(at - now, signal).catch(() => {})
  }
}

/** The pace that a Plan asks for; undefined for no limit. */
export function paceOf({ metadata }: KubernetesObject, clock: Clock): Pace | undefined {
  const perMinute = Number(metadata?.annotations?.[rateAnnotation] ?? 0)
  return perMinute > 0 ? new Pace(clock, perMinute) : undefined
}
