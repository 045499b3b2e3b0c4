import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Client, failedWith, type ObjectAt, queryFrom, resourcePath } from '@hykube/runtime/client'
import { documentText } from '../host/output.ts'

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

/** Writes an object for the real resource with an id: the server generates its spec. */
export function sendImport(client: Client, at: ObjectAt, id: string, dryRun: boolean): Promise<KubernetesObject> {
  return post(client, at, { id }, dryRun)
}

/** Says what the next plan of an adopted object would change. */
export function verdictOf({ status }: KubernetesObject): string {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] }
  const applied = conditions.find(({ type }) => type === 'Applied')
  return applied?.status === 'True' ? 'no changes' : (applied?.message ?? '').replace(/^a plan /, '')
}

/** The spec of an object as indented YAML. */
export async function specText({ spec }: KubernetesObject): Promise<string> {
  return (await documentText(spec ?? {}, 'yaml')).replaceAll(/^(?=.)/gm, '    ')
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly message: string
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

/** The ids and ARNs of a resource's instances, and the expression that refers to each. */
export function idExpressions(
  address: string,
  instances: readonly JsonObject[],
  { spec }: KubernetesObject,
): { value: string; expression: string }[] {
  const isNamed = Object.hasOwn((spec ?? {}) as object, 'for_each')
  return instances.flatMap(({ attributes, index_key: key, deposed }) => {
    if (!isJsonObject(attributes) || deposed !== undefined) return []
    return ['id', 'arn'].flatMap((name) => {
      const value = attributes[name]
      if (typeof value !== 'string' || value === '') return []
      return [{ value, expression: `${address}${indexOf(key ?? null, isNamed)}.${name}` }]
    })
  })
}

function indexOf(key: JsonValue, isNamed: boolean): string {
  if (key === null) return ''
  return `[${isNamed ? JSON.stringify(String(key)) : JSON.stringify(key)}]`
}
