import type { ListResourceEvent } from '@hykube/tfplugin/protocol'
import { identityType } from '@hykube/tfplugin/schema'
import { isObject, isWhollyKnown, type Value, valueToJson } from '@hykube/tfplugin/value'
import type { AccessSession } from '../evaluation/index.ts'
import type { ResourceKind } from '../model/index.ts'
import { adoptableId } from '../model/index.ts'
import { sameValues } from '../terraform/index.ts'

/** An existing resource that a create call with an unknown outcome may have created. */
export interface Candidate {
  /** The argument for `hykube resolve --adopt`. */
  readonly id: string
  /** The provider's display name. */
  readonly name: string
}

/**
 * Lists the resources that a call may have created: those that the provider lists, that match every planned value, and that no object
 * manages. Undefined when the provider can't list the type.
 */
export async function candidatesOf(
  { type, identity }: ResourceKind,
  planned: Value,
  session: AccessSession,
  isManaged: (id: string) => Promise<boolean>,
): Promise<readonly Candidate[] | undefined> {
  const listed = await session.list?.(type, mostListed)
  if (listed === undefined) return undefined
  const candidates: Candidate[] = []
  for await (const event of listed) {
    if (!agrees(planned, event.resourceObject)) continue
    const id = idOf(event, identity)
    if (id === undefined || (await isManaged(id))) continue
    candidates.push({ id, name: event.displayName })
    if (candidates.length === mostCandidates) break
  }
  return candidates
}

/** Formats candidates for the end of a message. */
export function candidatesText(candidates: readonly Candidate[] | undefined): string {
  if (candidates === undefined) return 'the provider cannot list existing resources'
  if (candidates.length === 0) return 'the provider lists no resource that matches'
  const named = candidates.map(({ id, name }) => (name === '' || name === id ? id : `${id} (${name})`))
  return `it could be ${named.join(', ')}`
}

// Resources that the provider is asked to list, and candidates that a message names.
const mostListed = 10_000
const mostCandidates = 20

// True when every known planned value is equal in the listed resource. A listing without attributes can't contradict the plan.
function agrees(planned: Value, object: Value | undefined): boolean {
  if (!isObject(planned) || !isObject(object ?? null)) return true
  const actual = object as Readonly<Record<string, Value>>
  return Object.entries(planned).every(
    ([name, wanted]) => wanted === null || !isWhollyKnown(wanted) || sameValues(wanted, actual[name] ?? null),
  )
}

function idOf({ resourceObject, identity }: ListResourceEvent, schema: ResourceKind['identity']): string | undefined {
  const attributes = isObject(resourceObject ?? null)
    ? (resourceObject as Readonly<Record<string, unknown>>)
    : undefined
  const json =
    schema === undefined || identity === undefined || identity === null
      ? undefined
      : valueToJson(identity, identityType(schema))
  return adoptableId(attributes, json)
}
