import { Mutex } from '@hykube/machinery/base'
import { type ChangedInstance, instanceToText, refToText } from '../../model/index.ts'

/**
 * Serializes the steps of an instance with deposed resources. An instance can have only one open intent, and each deposed resource is
 * destroyed by a change of its own. Most plans have no such change.
 */
export class InstanceTurns {
  readonly #turns = new Map<string, Mutex>()

  constructor(changes: Iterable<{ readonly target: ChangedInstance }>) {
    for (const { target } of changes)
      if (target.part.startsWith('deposed/')) this.#turns.set(textOf(target), new Mutex())
  }

  run<T>(target: ChangedInstance, step: () => Promise<T>): Promise<T> {
    const turn = this.#turns.size === 0 ? undefined : this.#turns.get(textOf(target))
    return turn === undefined ? step() : turn.run(step)
  }
}

function textOf({ ref, instance }: ChangedInstance): string {
  return `${refToText(ref)} ${instanceToText(instance)}`
}
