import type { ListResourceEvent } from '@hykube/tfplugin/protocol'
import { identityType, isObject, isWhollyKnown, type Value, valueToJson } from '@hykube/tfplugin/value'
import { type AccessSession, type NodeKind, sameValues } from '../plan/index.ts'

/** An object outside that may be what a call made of which nobody knows what came. */
export interface Candidate {
  /** What `hykube resolve --adopt` takes. */
  readonly id: string
  /** What the provider calls it. */
  readonly name: string
}

/**
 * The objects that a call may have made: those that the provider lists, that agree with everything that was planned, and that belong to
 * nothing here. Undefined when the provider can't list.
 */
export async function candidatesOf(
  { type, identity }: NodeKind,
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

/** Candidates in words, for the end of a message. */
export function candidatesText(candidates: readonly Candidate[] | undefined): string {
  if (candidates === undefined) return 'the provider can not list what there is'
  if (candidates.length === 0) return 'the provider lists nothing that it could be'
  const named = candidates.map(({ id, name }) => (name === '' || name === id ? id : `${id} (${name})`))
  return `it could be ${named.join(', ')}`
}

/** The id by which a record or a listed object is adopted. */
export function adoptableId(
  attributes: Readonly<Record<string, unknown>> | undefined,
  identityJson: string | undefined,
): string | undefined {
  if (typeof attributes?.id === 'string' && attributes.id !== '') return attributes.id
  return identityJson
}

const mostListed = 10_000
const mostCandidates = 20

// Whatever was known in the plan is so; what the object is not told with can't speak against it.
function agrees(planned: Value, object: Value | undefined): boolean {
  if (!isObject(planned) || !isObject(object ?? null)) return true
  const actual = object as Readonly<Record<string, Value>>
  return Object.entries(planned).every(
    ([name, wanted]) => wanted === null || !isWhollyKnown(wanted) || sameValues(wanted, actual[name] ?? null),
  )
}

function idOf({ resourceObject, identity }: ListResourceEvent, schema: NodeKind['identity']): string | undefined {
  const attributes = isObject(resourceObject ?? null)
    ? (resourceObject as Readonly<Record<string, unknown>>)
    : undefined
  const json =
    schema === undefined || identity === undefined || identity === null
      ? undefined
      : valueToJson(identity, identityType(schema))
  return adoptableId(attributes, json)
}
