import type { Clock } from '@hykube/machinery/base'
import type { Space } from './contract.ts'
import type { Sealer } from './encryption/sealer.ts'
import { StorageError } from './storage-error.ts'

/** What every backend is opened with. */
export interface OpenOptions {
  /** The spaces that keys may belong to. */
  readonly spaces: readonly Space[]
  /** Seals values of encrypted spaces. Needed when there are any. */
  readonly sealer?: Sealer
  /** Default: the machine's time. */
  readonly clock?: Clock
  /** Told in words what an operator should know, such as a checkpoint that fails. Default: nobody. */
  readonly report?: (message: string) => void
  /**
   * Called once when the store is found to be another than the one that was opened: restored, replaced or set back while
   * it was open. Every call then fails with `replaced`, and the process has to end.
   */
  readonly replaced?: (failure: StorageError) => void
}

/** Refuses to open encrypted spaces without something that encrypts. */
export function checkSealer({ spaces, sealer }: OpenOptions): void {
  const needing = spaces.find((space) => space.encrypted === true)
  if (needing === undefined || sealer !== undefined) return
  throw new StorageError('invalid', `cannot open space ${needing.name}: it is encrypted, and no sealer was given`)
}
