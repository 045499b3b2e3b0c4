import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Client, failedWith, type ObjectAt, queryFrom, resourcePath } from '@hykube/runtime/client'

/** The request to adopt one object. */
export interface StateRequest {
  readonly instances: readonly JsonObject[]
  readonly configuration: string
  readonly dependencies: readonly string[]
  readonly references: readonly { dependency: string; value: string; expression: string }[]
  /** Addresses of other objects of the state files that may have the same ids. */
  readonly sharesIdsWith: readonly string[]
  readonly allowSharedIds: boolean
}

/** The result for one object. `skipped` resources exist only in Terraform. */
export type StateAnswer =
  | { readonly kind: 'taken' | 'there'; readonly object: KubernetesObject }
  | { readonly kind: 'refused' | 'skipped'; readonly message: string }

/** Sends the state of an object to the server, in several requests when it is large. */
export async function sendState(
  client: Client,
  at: ObjectAt,
  { instances, ...rest }: StateRequest,
  dryRun: boolean,
): Promise<StateAnswer> {
  let object: KubernetesObject | undefined
  try {
    // A dry run stores nothing, so a further portion could not be added: only the first is sent.
    for (const portion of dryRun ? portionsOf(instances).slice(0, 1) : portionsOf(instances))
      object = await post(client, at, { ...rest, instances: portion, continues: object !== undefined }, dryRun)
    return { kind: 'taken', object: object! }
  } catch (error) {
    if (failedWith(error, 'Conflict') && object === undefined) {
      const there = await client.find(at)
      if (there?.metadata.finalizers?.includes('hykube.io/managed')) return { kind: 'there', object: there }
    }
    return { kind: 'refused', message: (error as Error).message }
  }
}

function post(client: Client, at: ObjectAt, body: object, dryRun: boolean): Promise<KubernetesObject> {
  return client.raw({
    method: 'POST',
    path: resourcePath({ ...at, subresource: 'state' }),
    query: queryFrom({ fieldManager: 'hykube', dryRun: dryRun ? 'All' : undefined }),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  })
}

// Bodies may have 3 MiB.
const mostCharacters = 1_000_000

function portionsOf(instances: readonly JsonObject[]): readonly JsonObject[][] {
  const portions: JsonObject[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const instance of instances) {
    const length = JSON.stringify(instance).length
    if (size + length > mostCharacters) {
      portions.push([])
      size = 0
    }
    portions.at(-1)!.push(instance)
    size += length
  }
  return portions
}

/** The ids of a resource's instances, and the expression that refers to each. */
export function idExpressions(
  address: string,
  instances: readonly JsonObject[],
  { spec }: KubernetesObject,
): { value: string; expression: string }[] {
  const isNamed = Object.hasOwn((spec ?? {}) as object, 'for_each')
  return instances.flatMap(({ attributes, index_key: key, deposed }) => {
    const id = isJsonObject(attributes) ? attributes.id : undefined
    if (typeof id !== 'string' || id === '' || deposed !== undefined) return []
    return [{ value: id, expression: `${address}${indexOf(key ?? null, isNamed)}.id` }]
  })
}

function indexOf(key: JsonValue, isNamed: boolean): string {
  if (key === null) return ''
  return `[${isNamed ? JSON.stringify(String(key)) : JSON.stringify(key)}]`
}
