import type { CommitRider } from '../../admission/index.ts'
import type { ObjectChange } from '../../resource/index.ts'
import type { Operation } from '../../storage/index.ts'

/** What plugins put into the commit of one attempt to write. */
export class Riders {
  readonly #riders: CommitRider[] = []

  /** The changes that happen with the object. */
  get changes(): readonly ObjectChange[] {
    return this.#riders.flatMap((rider) => rider.changes)
  }

  /** Further writes that happen with the object. */
  get operations(): readonly Operation[] {
    return this.#riders.flatMap((rider) => rider.operations ?? [])
  }

  /** For plugins; bound, since it travels in requests. */
  readonly add = (rider: CommitRider): void => void this.#riders.push(rider)

  /** Makes one attempt; whatever becomes of it, the riders are told that it is over. */
  static async during<T>(attempt: (riders: Riders) => Promise<T>): Promise<T> {
    const riders = new Riders()
    try {
      return await attempt(riders)
    } finally {
      for (const { settled } of riders.#riders) settled()
    }
  }
}
