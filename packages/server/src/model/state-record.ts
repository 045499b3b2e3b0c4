import { Buffer } from 'node:buffer'
import { type IdentitySchema, identityType, impliedType, type Schema } from '@hykube/tfplugin/schema'
import { attributeStep, indexStep, type Path, type Value, valueToJson } from '@hykube/tfplugin/value'
import type { InstanceState, Lifecycle } from './instance-state.ts'
import type { StoredInstance } from './stored-instance.ts'

/** The stored state of one instance: encrypted, and never sent to clients as it is. */
export interface StateRecord extends StateFacts {
  readonly schemaVersion: number
  readonly status: 'ready' | 'tainted'
  /** The attributes as JSON text as in a Terraform state file, with every digit of numbers. `null` when a refresh didn't find the resource. */
  readonly attributes: string
  /** The provider's private data in base64. */
  readonly private?: string
  readonly identity?: { readonly version: number; readonly json: string }
  /** The address before a move, until the instance is applied or found settled at the new address. */
  readonly movedFrom?: string
  /** Paths that are sensitive because of the source of their value, besides those that the schema marks. */
  readonly sensitive?: readonly (readonly (string | number)[])[]
  /** For an observed state: the top-level attributes that differ from the applied state and that a plan would change. */
  readonly drift?: readonly string[]
}

/** The fields of a state record that don't come from the provider. */
export interface StateFacts {
  /** The uid of the object. State outlives an object that was removed by force. */
  readonly uid: string
  /** The provider's name for the type, such as `sim_network`. */
  readonly type: string
  /** The ProviderConfig that created the resource; empty for the default configuration. */
  readonly configuration: string
  /** The hash of the provider package that wrote it. */
  readonly package: string
  /** The objects that it was created from, as texts of references. It is destroyed before they are. */
  readonly dependencies: readonly string[]
  readonly createBeforeDestroy?: true
  readonly preventDestroy?: true
  /** Applied with `lifecycle.destroy: false`: it is forgotten instead of destroyed. */
  readonly keep?: true
  /** The fingerprint with which it was last found settled; empty when it isn't settled. */
  readonly fingerprint: string
}

/** The fields that follow from the spec. They are stored again whenever a plan finds an instance settled. */
export type SettledFacts = Pick<
  StateFacts,
  'configuration' | 'dependencies' | 'fingerprint' | 'createBeforeDestroy' | 'preventDestroy' | 'keep'
>

/** Returns these fields for a settled instance. */
export function settledFacts(
  { createBeforeDestroy, preventDestroy, destroy }: Lifecycle,
  configuration: string,
  dependencies: readonly string[],
  fingerprint: string,
): SettledFacts {
  return {
    configuration,
    dependencies,
    fingerprint,
    ...(createBeforeDestroy && { createBeforeDestroy }),
    ...(preventDestroy && { preventDestroy }),
    ...(!destroy && { keep: true }),
  }
}

/** True when a record already has these fields and no pending move, so it needn't be written again. */
export function hasSettledFacts(record: StateRecord, facts: SettledFacts): boolean {
  const { configuration, dependencies, fingerprint, createBeforeDestroy, preventDestroy, keep, movedFrom } = record
  return (
    movedFrom === undefined &&
    fingerprint === facts.fingerprint &&
    configuration === facts.configuration &&
    createBeforeDestroy === facts.createBeforeDestroy &&
    preventDestroy === facts.preventDestroy &&
    keep === facts.keep &&
    dependencies.length === facts.dependencies.length &&
    dependencies.every((refText, at) => refText === facts.dependencies[at])
  )
}

/** Replaces these fields of a record. */
export function withSettledFacts(record: StateRecord, facts: SettledFacts): StateRecord {
  const { createBeforeDestroy: _, preventDestroy: __, keep: ___, movedFrom: ____, ...rest } = record
  return { ...rest, ...facts }
}

/** Encodes a state as a record. */
export function stateToRecord(
  state: InstanceState,
  schema: Schema,
  identitySchema: IdentitySchema | undefined,
  facts: StateFacts,
): StateRecord {
  const { value, private: bytes, identity, sensitivePaths, status, schemaVersion } = state
  return {
    ...facts,
    status,
    schemaVersion,
    attributes: valueToJson(value, impliedType(schema.block)),
    ...(bytes.length > 0 && { private: Buffer.from(bytes).toString('base64') }),
    ...(identity !== undefined &&
      identity !== null &&
      identitySchema !== undefined && {
        identity: { version: identitySchema.version, json: valueToJson(identity, identityType(identitySchema)) },
      }),
    ...(sensitivePaths.length > 0 && { sensitive: sensitivePaths.map(pathToJson) }),
  }
}

/** Returns the record of a resource that a refresh didn't find. */
export function goneRecord(facts: StateFacts): StateRecord {
  return { ...facts, status: 'ready', schemaVersion: 0, attributes: gone }
}

/** True when a refresh didn't find the resource. */
export function isGone({ attributes }: StateRecord): boolean {
  return attributes === gone
}

const gone = 'null'

/** Decodes a record for the calls to the provider. `read` is its value if the caller already decoded it. */
export function storedInstance(record: StateRecord, read?: Value): StoredInstance {
  const { attributes, private: bytes, identity, schemaVersion, status, sensitive = [] } = record
  return {
    raw: { kind: 'json', json: attributes },
    ...(read !== undefined && { read }),
    private: bytes === undefined ? noBytes : Buffer.from(bytes, 'base64'),
    schemaVersion,
    status,
    sensitivePaths: sensitive.map(pathFromJson),
    ...(identity !== undefined && { rawIdentity: identity.json, identitySchemaVersion: identity.version }),
  }
}

const noBytes = new Uint8Array(0)

/** Encodes a path for storage. Map keys and attribute names are both strings; the type of the value tells which is meant. */
export function pathToJson(path: Path): (string | number)[] {
  return path.map((step) => (step.kind === 'index' ? step.index : step.kind === 'key' ? step.key : step.name))
}

export function pathFromJson(path: readonly (string | number)[]): Path {
  return path.map((step) => (typeof step === 'number' ? indexStep(step) : attributeStep(step)))
}
