import type { Path, Value } from '@hykube/tfplugin/value'

/** The evaluated configuration of one instance, and the inputs it was evaluated from. */
export interface InstanceConfig {
  readonly value: Value
  readonly sensitive: readonly Path[]
  /** The sensitive strings among its inputs. */
  readonly secrets: readonly string[]
  /** The referenced values by reference: a hash, or null for an unknown value. A change of one makes an approved plan stale. */
  readonly used: readonly (readonly [text: string, hash: string | null])[]
  readonly fingerprint: string
}
