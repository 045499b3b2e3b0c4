import type { Clock } from '@hykube/machinery/base'
import type { Space } from './contract.ts'
import type { Sealer } from './encryption/sealer.ts'
import { StorageError } from './storage-error.ts'

/** Options of every backend. */
export interface OpenOptions {
  /** Spaces of the store. */
  readonly spaces: readonly Space[]
  /** Encrypts values of encrypted spaces. Required when there are any. */
  readonly sealer?: Sealer
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called with messages for operators, such as a failing checkpoint. Default: not reported. */
  readonly report?: (message: string) => void
  /**
   * Called once when the store was restored, replaced or rolled back while it was open. Every call then fails with
   * `replaced`, and the process has to exit.
   */
  readonly replaced?: (failure: StorageError) => void
}

/** Throws when encrypted spaces have no sealer. */
export function checkSealer({ spaces, sealer }: OpenOptions): void {
  const needing = spaces.find((space) => space.encrypted === true)
  if (needing === undefined || sealer !== undefined) return
  throw new StorageError('invalid', `cannot open space ${needing.name}: it is encrypted, but there is no sealer`)
}
