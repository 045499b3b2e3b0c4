import { Buffer } from 'node:buffer'
import { conflict } from '@hykube/machinery/status'
import { attributeStep } from '@hykube/tfplugin/value'
import type { AccessSession, ProviderAccess } from '../evaluation/index.ts'
import { resourceInstance } from '../evaluation/index.ts'
import { addressOf, type InstanceState, type ResourceKind, type ResourceRef, type StateRecord } from '../model/index.ts'
import { upgradeState, withRepeatedSecrets } from '../terraform/index.ts'
import { importResource } from './import-resource.ts'
import type { StateInstance } from './state-import.ts'

/** An imported instance in the provider's current schema version. */
export interface ImportedInstance extends Pick<StateInstance, 'key' | 'deposed' | 'createBeforeDestroy'> {
  readonly state: InstanceState
  /** The stored record of an instance from an earlier request; its private data and dependencies stay. */
  readonly record?: StateRecord
}

/** Has the provider upgrade instances of a state file. Fails with 409 and the provider's diagnostic when it can't. */
export async function readInstances(
  ref: ResourceRef,
  kind: ResourceKind,
  instances: readonly StateInstance[],
  access: ProviderAccess,
  { port }: AccessSession,
): Promise<ImportedInstance[]> {
  const imported: ImportedInstance[] = []
  for (let start = 0; start < instances.length; start += concurrency)
    imported.push(
      ...(await Promise.all(
        instances.slice(start, start + concurrency).map((each) => readInstance(ref, kind, each, access, port)),
      )),
    )
  return imported
}

/** Has the provider import and read the real resource with an id. */
export async function importInstance(
  ref: ResourceRef,
  kind: ResourceKind,
  id: string,
  access: ProviderAccess,
  { port }: AccessSession,
): Promise<ImportedInstance> {
  const state = await importResource(
    kind,
    ref,
    resourceInstance(kind, access, addressOf({ ref, kind }, undefined)),
    id,
    port,
  )
  return { key: undefined, createBeforeDestroy: false, state }
}

// Concurrent upgrade calls; bounds the memory that large states take.
const concurrency = 64

async function readInstance(
  ref: ResourceRef,
  kind: ResourceKind,
  given: StateInstance,
  access: ProviderAccess,
  port: AccessSession['port'],
): Promise<ImportedInstance> {
  const { identity, private: bytes } = given
  const stored = {
    raw: { kind: 'json', json: given.attributes } as const,
    private: bytes === undefined ? new Uint8Array(0) : Buffer.from(bytes, 'base64'),
    schemaVersion: given.schemaVersion,
    status: given.tainted ? ('tainted' as const) : ('ready' as const),
    sensitivePaths: given.sensitive.map((name) => [attributeStep(name)]),
    ...(identity !== undefined && { rawIdentity: identity.json, identitySchemaVersion: identity.version }),
  }
  const described = resourceInstance(kind, access, addressOf({ ref, kind }, given.key))
  const read = await upgradeState(described, stored, port)
  if (read.kind === 'failed') {
    const [first] = read.diagnostics
    const why = first === undefined ? 'the provider rejected it' : `${first.summary}: ${first.detail ?? ''}`
    throw conflict({ group: kind.group, resource: kind.resource }, ref.name, `${described.address}: ${why}`)
  }
  const { key, deposed, createBeforeDestroy } = given
  const { value, sensitivePaths: sensitive } = read.state
  // A state file doesn't mark attributes in which the provider repeats a secret.
  const state = { ...read.state, sensitivePaths: withRepeatedSecrets(described, { value, sensitive, given: [] }) }
  return { key, createBeforeDestroy, state, ...(deposed !== undefined && { deposed }) }
}
