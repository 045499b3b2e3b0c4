import { Buffer } from 'node:buffer'
import { conflict } from '@hykube/machinery/status'
import { attributeStep } from '@hykube/tfplugin/value'
import {
  type AccessSession,
  addressOf,
  type InstanceState,
  type NodeKind,
  type NodePlace,
  type ProviderAccess,
  type ResourceInstance,
  type StateRecord,
  upgradeState,
  withEchoes,
} from '../../plan/index.ts'
import type { StateInstance } from './state-import.ts'

/** An instance as the provider's present schema has it. */
export interface TakenInstance extends Pick<StateInstance, 'key' | 'deposed' | 'createBeforeDestroy'> {
  readonly state: InstanceState
  /** Of one that was taken over before. */
  readonly record?: StateRecord
}

/** An instance as the rules know it. */
export function describedAs(
  place: NodePlace,
  kind: NodeKind,
  { key }: Pick<StateInstance, 'key'>,
  { capabilities, secrets }: ProviderAccess,
): ResourceInstance {
  const { provider, type: typeName, schema, identity } = kind
  return {
    address: addressOf({ place, kind }, key),
    provider,
    typeName,
    schema,
    capabilities,
    secrets,
    ...(identity !== undefined && { identitySchema: identity }),
  }
}

/** Has the provider read instances of a state file. 409 with its words when it can not. */
export async function readInstances(
  place: NodePlace,
  kind: NodeKind,
  instances: readonly StateInstance[],
  access: ProviderAccess,
  { port }: AccessSession,
): Promise<TakenInstance[]> {
  const taken: TakenInstance[] = []
  for (let start = 0; start < instances.length; start += atATime)
    taken.push(
      ...(await Promise.all(
        instances.slice(start, start + atATime).map((each) => readInstance(place, kind, each, access, port)),
      )),
    )
  return taken
}

const atATime = 64

async function readInstance(
  place: NodePlace,
  kind: NodeKind,
  given: StateInstance,
  access: ProviderAccess,
  port: AccessSession['port'],
): Promise<TakenInstance> {
  const { identity, private: bytes } = given
  const stored = {
    raw: { kind: 'json', json: given.attributes } as const,
    private: bytes === undefined ? new Uint8Array(0) : Buffer.from(bytes, 'base64'),
    schemaVersion: given.schemaVersion,
    status: given.tainted ? ('tainted' as const) : ('ready' as const),
    sensitivePaths: given.sensitive.map((name) => [attributeStep(name)]),
    ...(identity !== undefined && { rawIdentity: identity.json, identitySchemaVersion: identity.version }),
  }
  const described = describedAs(place, kind, given, access)
  const read = await upgradeState(described, stored, port)
  if (read.kind === 'failed') {
    const [first] = read.diagnostics
    const why = first === undefined ? 'the provider refused it' : `${first.summary}: ${first.detail ?? ''}`
    throw conflict({ group: kind.group, resource: kind.resource }, place.name, `${described.address}: ${why}`)
  }
  const { key, deposed, createBeforeDestroy } = given
  const { value, sensitivePaths: sensitive } = read.state
  // A state file knows nothing of secrets that a provider returned in other attributes.
  const state = { ...read.state, sensitivePaths: withEchoes(described, { value, sensitive, given: [] }) }
  return { key, createBeforeDestroy, state, ...(deposed !== undefined && { deposed }) }
}
