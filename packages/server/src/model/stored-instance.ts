import type { RawState } from '@hykube/tfplugin/protocol'
import type { Value } from '@hykube/tfplugin/value'
import type { InstanceState } from './instance-state.ts'

/** A stored state of any schema version, not yet decoded. */
export interface StoredInstance
  extends Pick<InstanceState, 'private' | 'schemaVersion' | 'identitySchemaVersion' | 'status' | 'sensitivePaths'> {
  readonly raw: RawState
  /** The decoded value, if the caller already decoded it with the current schema. */
  readonly read?: Value
  /** The identity as JSON, of its own schema version. */
  readonly rawIdentity?: string
}
