import { type Condition, findCondition, groupVersionFromText, type KubernetesObject } from '@hykube/machinery/object'
import type { ApiResource, Client, ObjectAt } from '@hykube/runtime/client'
import type { WrittenObject } from './documents.ts'
import { CommandError } from './failure.ts'
import { inParallel } from './in-parallel.ts'
import { isProviderGroup } from './provider-kinds.ts'
import { type ServedKinds, servedKinds } from './served-kinds.ts'
import type { Terminal } from './terminal.ts'

/** Objects as they were written: where each is, and whether that is a provider's resource. */
export interface WrittenPlace {
  readonly at: ObjectAt
  readonly kind: ApiResource
  readonly object: KubernetesObject
}

/** Where objects are written to, and what is told meanwhile. */
export interface WriteOptions {
  readonly client: Client
  /** For objects that name none. */
  readonly namespace: string
  readonly terminal: Terminal
}

/**
 * Writes objects with server-side apply as the field manager `hykube`: namespaces first, then Providers, which are waited
 * for, because their kinds are served only then, and everything else after that.
 */
export async function writeObjects(objects: readonly WrittenObject[], options: WriteOptions): Promise<WrittenPlace[]> {
  const kinds = servedKinds(options.client)
  const stages = [0, 1, 2, 3].map((stage) => objects.filter(({ object }) => stageOf(object) === stage))
  const written: WrittenPlace[] = []
  for (const [stage, members] of stages.entries()) {
    written.push(...(await inParallel(members, (each) => writeObject(each, kinds, options))))
    if (stage === 1)
      for (const { object } of members)
        await awaitProvider(options.client, object.metadata?.name ?? '', options.terminal)
  }
  return written
}

// Namespaces and definitions, Providers, what resources may use, resources.
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
    // What was written by hand before is taken over: whoever applies a file wants what is in it.
    const stored = await client.patch(at, { kind: 'apply', object: { ...object, metadata }, force: true })
    return { at, kind, object: stored }
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

const providers = { group: 'hykube.io', version: 'v1alpha1', resource: 'providers' } as const
const readyWithin = 600_000

/**
 * Waits until a Provider is ready; one that can't be is a failure with its reason. With a generation, conditions of an
 * earlier one do not count: they tell of the version before.
 */
export async function awaitProvider(client: Client, name: string, terminal: Terminal, generation = 0): Promise<void> {
  const deadline = terminal.now() + readyWithin
  let told = false
  for (;;) {
    const conditions = conditionsOf(await client.get({ ...providers, name })).filter(
      ({ observedGeneration = 0 }) => observedGeneration >= generation,
    )
    const ready = findCondition(conditions, 'Ready')
    const installed = findCondition(conditions, 'Installed')
    if (ready?.status === 'True') return
    if (isFinal(installed))
      throw new CommandError(
        `provider ${JSON.stringify(name)} can not be installed: ${installed!.message}`,
        'Mend it, then try again:  hykube providers list',
      )
    if (terminal.now() > deadline)
      throw new CommandError(
        `provider ${JSON.stringify(name)} is not ready after ${readyWithin / 60_000} minutes: ${ready?.message ?? installed?.message ?? ''}`,
      )
    if (!told) terminal.err(`Waiting for provider ${JSON.stringify(name)} to be ready …\n`)
    told = true
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

// What the server tries again by itself is waited for.
function isFinal(condition: Condition | undefined): boolean {
  return condition?.status === 'False' && /Failed|Invalid|NotFound|Refused|Mismatch/.test(condition.reason)
}

function conditionsOf({ status }: KubernetesObject): readonly Condition[] {
  return (status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? []
}
