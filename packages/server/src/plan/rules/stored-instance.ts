import type { RawState } from '@hykube/tfplugin/protocol'
import type { InstanceState } from './instance.ts'

/** A state as it is stored: of any version of the schema, and not yet read. */
export interface StoredInstance
  extends Pick<InstanceState, 'private' | 'schemaVersion' | 'identitySchemaVersion' | 'status' | 'sensitivePaths'> {
  readonly raw: RawState
  /** As JSON, of its own version. */
  readonly rawIdentity?: string
}
