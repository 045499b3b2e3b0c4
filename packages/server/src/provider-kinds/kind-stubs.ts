import { randomUUID } from 'node:crypto'
import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { isKindStub, kindStub, type ProviderKind, schemaHashAnnotation } from '../provider/index.ts'
import { decodeObject, type ObjectStore, objectFromKey, objectRange, type StoredObject } from '../resource/index.ts'

/** The resource of CustomResourceDefinitions. */
export const definitionResource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' } as const

/** A stored CustomResourceDefinition of a provider's kind. It lets discovery clients and kubectl find the kind. */
export interface StoredStub {
  readonly name: string
  readonly stored: StoredObject
  readonly object: KubernetesObject
}

/** Lists the stubs of a Provider. */
export async function stubsOf(objects: ObjectStore, cluster: string, provider: string): Promise<StoredStub[]> {
  const stubs: StoredStub[] = []
  const range = objectRange(definitionResource, cluster)
  for await (const entries of objects.pages(range)) {
    for (const { key, value, tag, revision } of entries) {
      const { name } = objectFromKey(key)
      if (!name.endsWith(`.${provider}.hykube.io`)) continue
      const object = decodeObject(value)
      if (isKindStub(object)) stubs.push({ name, stored: { key, bytes: value, tag, revision }, object })
    }
  }
  return stubs
}

/** Writes the stubs that don't exist yet or have another schema hash. */
export async function writeStubs(
  objects: ObjectStore,
  cluster: string,
  kinds: readonly ProviderKind[],
  known: readonly StoredStub[],
  options: {
    readonly schemaHash: string
    readonly owner: { readonly name: string; readonly uid: string }
    readonly now: number
  },
): Promise<void> {
  const before = new Map(known.map((stub) => [stub.name, stub]))
  const since = timeToText(options.now)
  const nameOf = ({ names, group }: ProviderKind) => `${names.plural}.${group}`
  const hashOf = (stub: StoredStub | undefined) => stub?.object.metadata?.annotations?.[schemaHashAnnotation]
  const unlike = kinds.filter((kind) => hashOf(before.get(nameOf(kind))) !== options.schemaHash)
  const change = (kind: ProviderKind) => {
    const old = before.get(nameOf(kind))
    const stub = withIdentity(kindStub(kind, { ...options, since }), old?.object, since)
    return { ...place(cluster, nameOf(kind)), before: old?.stored, after: stub }
  }
  for (let start = 0; start < unlike.length; start += perCommit) {
    const outcome = await objects.change(unlike.slice(start, start + perCommit).map(change))
    if (outcome.kind === 'moved') throw new Error('the definitions of its kinds were changed by another writer')
  }
}

/** Removes stubs. */
export async function removeStubs(objects: ObjectStore, cluster: string, stubs: readonly StoredStub[]): Promise<void> {
  for (let start = 0; start < stubs.length; start += perCommit)
    await objects.change(
      stubs.slice(start, start + perCommit).map(({ name, stored, object }) => ({
        ...place(cluster, name),
        before: stored,
        after: undefined,
        final: object,
      })),
    )
}

// Stubs per commit: a large provider has thousands of kinds.
const perCommit = 200

function place(cluster: string, name: string) {
  return { resource: definitionResource, place: { cluster, namespace: '', name } }
}

function withIdentity(stub: KubernetesObject, old: KubernetesObject | undefined, now: string): KubernetesObject {
  const { uid = randomUUID(), creationTimestamp = now, generation = 0 } = old?.metadata ?? {}
  return { ...stub, metadata: { ...stub.metadata, uid, creationTimestamp, generation: generation + 1 } }
}
