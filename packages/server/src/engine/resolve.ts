import type { KubernetesObject } from '@hykube/machinery/object'
import { conflict, invalid, notFound } from '@hykube/machinery/status'
import { edgeOperations, journalKey, putMark, putState } from '../estate/index.ts'
import {
  addressOf,
  type ImportedState,
  type InstanceKey,
  importState,
  type NodeKind,
  type NodePlace,
  nodeFromText,
  stateToRecord,
  wholeObject,
} from '../plan/index.ts'
import type { Operation } from '../storage/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { withStatus } from './object-status.ts'

/** What a person says of a call of which nobody knows what came. */
export interface Resolution {
  /** `Adopt` what exists under an id; `Retry`, because nothing came of it; `Forget` what may exist. */
  readonly decision: 'Adopt' | 'Retry' | 'Forget'
  readonly id?: string
  readonly instance?: InstanceKey
}

/** Decides about an open call as a person says. Gives the object as it is then. */
export async function resolveCall(
  parts: EngineParts,
  node: NodePlace,
  kind: NodeKind,
  { decision, id, instance }: Resolution,
): Promise<KubernetesObject> {
  const name = { group: node.group, resource: node.resource }
  const stored = await parts.estate.intent({ node, instance })
  if (stored === undefined) throw conflict(name, node.name, 'there is no call of which nobody knows what came')
  const operations: Operation[] = [
    { kind: 'delete', key: journalKey(stored), expect: stored.revision },
    putMark({ node, kind: 'unsettled' }),
  ]
  if (decision === 'Adopt') operations.push(...(await adopted(parts, node, kind, instance, stored.intent.facts, id)))
  if (decision === 'Forget' && stored.intent.step !== 'create')
    operations.push(
      putState({ node, instance, slot: 'current' }, undefined),
      putState({ node, instance, slot: 'observed' }, undefined),
    )
  const facts = { reason: 'Resolved', message: `resolved by hand: ${decision}; plan again` }
  const conditions = [
    { type: 'Stalled', status: 'False', ...facts },
    { type: 'Ready', status: 'False', ...facts },
  ] as const
  const resolved = await parts.objects.update(
    node,
    node,
    async (object) => {
      if ((await parts.estate.intent({ node, instance }))?.revision !== stored.revision)
        throw conflict(name, node.name, 'it was resolved meanwhile')
      return withStatus(object, { conditions }, parts.clock.now())
    },
    { operations },
  )
  if (resolved === undefined) throw notFound(name, node.name)
  return resolved
}

async function adopted(
  parts: EngineParts,
  node: NodePlace,
  kind: NodeKind,
  instance: InstanceKey,
  facts: Parameters<typeof stateToRecord>[3],
  id: string | undefined,
): Promise<Operation[]> {
  if (id === undefined || id === '')
    throw invalid({ group: kind.group, kind: kind.kind }, node.name, [
      { reason: 'FieldValueRequired', field: 'id', message: 'Required value: what shall be adopted' },
    ])
  const access = await parts.reader.provider(node, kind, facts.configuration)
  if ('problem' in access) throw conflict({ group: kind.group, resource: kind.resource }, node.name, access.problem)
  const described = {
    address: addressOf({ place: node, kind }, instance),
    provider: kind.provider,
    typeName: kind.type,
    schema: kind.schema,
    capabilities: access.capabilities,
    ...(kind.identity !== undefined && { identitySchema: kind.identity }),
  }
  const found = await importState(described, { kind: 'id', id }, access.port)
  if (found.kind !== 'imported')
    throw conflict({ group: kind.group, resource: kind.resource }, node.name, problemOf(found))
  const record = stateToRecord((found as ImportedState).state, kind.schema, kind.identity, {
    ...facts,
    fingerprint: '',
  })
  const edges = facts.dependencies.map((text) => ({
    target: nodeFromText(node.cluster, text),
    attribute: wholeObject,
    dependent: node,
  }))
  return [putState({ node, instance, slot: 'current' }, record), ...edgeOperations('applied', [], edges)]
}

function problemOf(failure: {
  readonly diagnostics: readonly { readonly summary: string; readonly detail?: string }[]
}): string {
  const [first] = failure.diagnostics
  return first === undefined ? 'the provider could not import it' : `${first.summary} ${first.detail ?? ''}`.trim()
}
