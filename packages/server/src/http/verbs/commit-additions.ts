import type { CommitAddition } from '../../admission/index.ts'
import type { ObjectChange } from '../../resource/index.ts'
import type { Operation } from '../../storage/index.ts'

/** Changes and operations that admission plugins add to the commit of one write attempt. */
export class CommitAdditions {
  readonly #additions: CommitAddition[] = []

  /** Changes of other objects. */
  get changes(): readonly ObjectChange[] {
    return this.#additions.flatMap((addition) => addition.changes)
  }

  /** Operations on other keys. */
  get operations(): readonly Operation[] {
    return this.#additions.flatMap((addition) => addition.operations ?? [])
  }

  /** For plugins. An arrow function, because it is passed without its object. */
  readonly add = (addition: CommitAddition): void => void this.#additions.push(addition)

  /** Runs one attempt and afterwards notifies the plugins, whatever its outcome. */
  static async during<T>(attempt: (additions: CommitAdditions) => Promise<T>): Promise<T> {
    const additions = new CommitAdditions()
    try {
      return await attempt(additions)
    } finally {
      for (const { settled } of additions.#additions) settled()
    }
  }
}
