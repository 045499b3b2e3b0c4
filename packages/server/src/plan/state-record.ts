import { Buffer } from 'node:buffer'
import {
  attributeStep,
  type IdentitySchema,
  identityType,
  impliedType,
  indexStep,
  type Path,
  type Schema,
  type Value,
  valueToJson,
} from '@hykube/tfplugin/value'
import type { InstanceState, Lifecycle } from './rules/instance.ts'
import type { StoredInstance } from './rules/stored-instance.ts'

/** What a provider said of one instance, as it is kept: encrypted, and never shown as it is. */
export interface StateRecord extends StateFacts {
  readonly schemaVersion: number
  readonly status: 'ready' | 'tainted'
  /** The provider's object as Terraform's state files have it: JSON text, with every digit of numbers. Null: it is gone. */
  readonly attributes: string
  /** The provider's private bytes, in base64. */
  readonly private?: string
  readonly identity?: { readonly version: number; readonly json: string }
  /** The address it had before it was moved, until something was applied or found to be as it should be. */
  readonly movedFrom?: string
  /** What is sensitive because of what was put there, besides what the schema names. */
  readonly sensitive?: readonly (readonly (string | number)[])[]
}

/** What is kept beside what the provider said. */
export interface StateFacts {
  /** Of the object that it belongs to. State outlives an object that somebody forced away. */
  readonly uid: string
  /** The provider's name for the type, as `sim_network`. */
  readonly type: string
  /** Which configuration of the provider it was made with; empty for the default one. */
  readonly configuration: string
  /** The hash of the provider package that wrote it. */
  readonly package: string
  /** What it was made from, as nodes: it is destroyed before they are. */
  readonly dependencies: readonly string[]
  readonly createBeforeDestroy?: true
  readonly preventDestroy?: true
  /** Forget it instead of destroying it. */
  readonly keep?: true
  /** What it was last settled with: the same again needs no planning. Empty when it is not settled. */
  readonly fingerprint: string
}

/** What follows from what is written, so that it is kept anew whenever an instance is found to be as it should be. */
export type SettledFacts = Pick<
  StateFacts,
  'configuration' | 'dependencies' | 'fingerprint' | 'createBeforeDestroy' | 'preventDestroy' | 'keep'
>

/** The facts of an instance that is settled. */
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

/** Whether a record says so already. */
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
    dependencies.every((node, at) => node === facts.dependencies[at])
  )
}

/** A record with other facts. */
export function withSettledFacts(record: StateRecord, facts: SettledFacts): StateRecord {
  const { createBeforeDestroy: _, preventDestroy: __, keep: ___, movedFrom: ____, ...rest } = record
  return { ...rest, ...facts }
}

/** The record of a state. */
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

/** The record of an object that a refresh did not find. */
export function goneRecord(facts: StateFacts): StateRecord {
  return { ...facts, status: 'ready', schemaVersion: 0, attributes: gone }
}

/** Whether a refresh did not find the object. */
export function isGone({ attributes }: StateRecord): boolean {
  return attributes === gone
}

const gone = 'null'

/** A record as the rules read it, with its value where that is known. */
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

/** A path as it is kept. Keys of maps and names of attributes are told apart by what they lead into. */
export function pathToJson(path: Path): (string | number)[] {
  return path.map((step) => (step.kind === 'index' ? step.index : step.kind === 'key' ? step.key : step.name))
}

export function pathFromJson(path: readonly (string | number)[]): Path {
  return path.map((step) => (typeof step === 'number' ? indexStep(step) : attributeStep(step)))
}
