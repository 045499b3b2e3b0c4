import type { RawState } from '@hykube/tfplugin/protocol'
import type { Value } from '@hykube/tfplugin/value'
import type { InstanceState } from './instance.ts'

/** A state as it is stored: of any version of the schema, and not yet read. */
export interface StoredInstance
  extends Pick<InstanceState, 'private' | 'schemaVersion' | 'identitySchemaVersion' | 'status' | 'sensitivePaths'> {
  readonly raw: RawState
  /** The value in it, where somebody has read it as the present schema has it. */
  readonly read?: Value
  /** As JSON, of its own version. */
  readonly rawIdentity?: string
}
