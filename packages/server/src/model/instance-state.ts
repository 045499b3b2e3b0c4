import type { Path, Value } from '@hykube/tfplugin/value'

/** The state of a real resource, as the provider returned it. */
export interface InstanceState {
  readonly value: Value
  /** The provider's private data; opaque to the server. */
  readonly private: Uint8Array
  readonly identity?: Value
  /** The schema version of the value; `identitySchemaVersion` is that of the identity. */
  readonly schemaVersion: number
  readonly identitySchemaVersion?: number
  /** `tainted`: its creation failed half-way, so the next plan replaces it. */
  readonly status: 'ready' | 'tainted'
  /** Paths that are sensitive because of the source of their value; those that the schema marks are not listed. */
  readonly sensitivePaths: readonly Path[]
}

/** The `lifecycle` settings of a resource. */
export interface Lifecycle {
  readonly ignoreChanges: IgnoredChanges
  readonly preventDestroy: boolean
  readonly createBeforeDestroy: boolean
  /** False: the resource is forgotten instead of destroyed. */
  readonly destroy: boolean
}

/** `ignore_changes`: all changes of a resource, or those at these paths. */
export type IgnoredChanges = 'all' | readonly Path[]

/** The settings of a resource without `lifecycle`. */
export const defaultLifecycle: Lifecycle = {
  ignoreChanges: [],
  preventDestroy: false,
  createBeforeDestroy: false,
  destroy: true,
}
