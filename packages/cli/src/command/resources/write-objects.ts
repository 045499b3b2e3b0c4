import { inParallel } from '@hykube/machinery/base'
import { groupVersionFromText, type KubernetesObject } from '@hykube/machinery/object'
import type { ApiResource, Client, ObjectAt } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'
import type { Terminal } from '../host/terminal.ts'
import { applyObject } from './apply-object.ts'
import { awaitProvider } from './await-provider.ts'
import type { WrittenObject } from './documents.ts'
import { isProviderGroup } from './provider-kinds.ts'
import { type ServedKinds, servedKinds } from './served-kinds.ts'

/** An object that was written, with its place and kind. */
export interface WrittenPlace {
  readonly at: ObjectAt
  readonly kind: ApiResource
  readonly object: KubernetesObject
}

export interface WriteOptions {
  readonly client: Client
  /** The namespace of objects without one. */
  readonly namespace: string
  readonly terminal: Terminal
}

/**
 * Writes objects with server-side apply as the field manager `hykube`: namespaces and definitions, then Providers, then
 * objects that resources may use, then resources. Kinds of a Provider are served once it is ready, so that is waited for.
 */
export async function writeObjects(objects: readonly WrittenObject[], options: WriteOptions): Promise<WrittenPlace[]> {
  const kinds = servedKinds(options.client)
  const stages = [0, 1, 2, 3].map((stage) => objects.filter(({ object }) => stageOf(object) === stage))
  const written: WrittenPlace[] = []
  for (const [stage, members] of stages.entries()) {
    const places = await inParallel(members, 16, (each) => writeObject(each, kinds, options))
    written.push(...places)
    if (stage === 1) for (const { object } of places) await awaitProvider(options.client, object, options.terminal)
  }
  return written
}

function stageOf({ apiVersion = '', kind = '' }: KubernetesObject): number {
  if (kind === 'Namespace' || kind === 'CustomResourceDefinition') return 0
  if (apiVersion.startsWith('hykube.io/')) return kind === 'Provider' ? 1 : 2
  return apiVersion.includes('.hykube.io/') ? 3 : 2
}

async function writeObject(
  { object, file }: WrittenObject,
  kinds: ServedKinds,
  { client, namespace, terminal }: WriteOptions,
): Promise<WrittenPlace> {
  const { group, version } = groupVersionFromText(object.apiVersion) ?? { group: '', version: object.apiVersion }
  const kind = await kinds.find({ group, version, kind: object.kind })
  const name = object.metadata!.name!
  if (kind === undefined) throw unknownKind(object, file, await kinds.suggest({ group, version, kind: object.kind }))
  const place = kind.namespaced ? { namespace: object.metadata?.namespace ?? namespace } : {}
  const at = { group, version, resource: kind.resource, name, ...place }
  const metadata = { ...object.metadata, ...place }
  try {
    return { at, kind, object: await applyObject(client, at, { ...object, metadata }) }
  } catch (error) {
    terminal.err(`${file}: ${object.kind} ${name} was not written\n`)
    throw error
  }
}

function unknownKind(
  { apiVersion, kind }: WrittenObject['object'],
  file: string,
  suggestion: string | undefined,
): CommandError {
  return new CommandError(
    `${file}: the server has no kind ${kind} in ${apiVersion}`,
    ...(suggestion === undefined ? [] : [`Did you mean ${suggestion}?`]),
    ...(isProviderGroup(apiVersion.split('/')[0]!) ? ['Is its provider installed?  hykube providers list'] : []),
  )
}
