import { timeToText } from '@hykube/machinery/amounts'
import {
  foregroundFinalizer,
  type KubernetesObject,
  orphanFinalizer,
  withFinalizer,
  withoutFinalizer,
} from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { conflict, notFound, type StatusError } from '@hykube/machinery/status'
import { dependentsRange, type StoredObject } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import { objectFromStored, toStorage } from '../presentation/stored-form.ts'
import { resourceNameOf, type Target } from '../target.ts'
import { withResourceVersion } from './create-object.ts'
import type { DeleteOptions } from './delete-options.ts'

/** Result of a delete: `gone`, or `marked` with a deletionTimestamp and kept by finalizers. */
export interface Deleted {
  readonly kind: 'gone' | 'marked'
  readonly object: KubernetesObject
}

/** Deletes an object, or marks it while finalizers keep it. Retries when the object changed between read and commit. */
export async function deleteObject(
  api: Api,
  context: RequestContext,
  target: Target,
  options: DeleteOptions,
): Promise<Deleted> {
  for (;;) {
    const stored = await api.objects.get(target.resource, target.place)
    if (stored === undefined) throw notFound(resourceNameOf(target), target.place.name)
    const current = objectFromStored(target.type, stored)
    checkPreconditions(target, current, options)
    await admit(api, context, target, current, options)
    const marked = await marking(api, target, current, options)
    if (marked === current) return { kind: 'marked', object: current }
    const held = isHeld(target.type, marked)
    if (options.dryRun) return { kind: held ? 'marked' : 'gone', object: marked }
    const deleted = await store(api, target, marked, current, stored, held)
    if (deleted !== undefined) return { kind: held ? 'marked' : 'gone', object: deleted }
  }
}

function checkPreconditions(
  target: Target,
  { metadata = {} }: KubernetesObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions
  if (uid && uid !== metadata.uid) throw anotherObject(target, 'UID', uid, metadata.uid, 'deleted and then recreated')
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw anotherObject(target, 'ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified')
}

function anotherObject(target: Target, field: string, wanted: string, found = '', why: string): StatusError {
  const { type, place } = target
  // kube-apiserver has another message for kinds with graceful deletion.
  if (type.strategy.prepareForDelete !== undefined) {
    const problem = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`
    return conflict(resourceNameOf(target), place.name, problem)
  }
  const problem = `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found})`
  const of = { group: type.group, resource: type.names.kind }
  return conflict(of, place.name, `${problem}. The object might have been ${why}`)
}

async function admit(
  api: Api,
  context: RequestContext,
  { type, place }: Target,
  old: KubernetesObject,
  { dryRun }: DeleteOptions,
): Promise<void> {
  const request = {
    operation: 'DELETE' as const,
    cluster: place.cluster,
    type,
    subresource: '',
    namespace: place.namespace,
    name: place.name,
    object: undefined,
    old,
    user: context.user,
    dryRun,
    warn: (warning: string) => void context.warnings.push(warning),
  }
  await api.admission.mutate(request)
  await api.admission.validate(request)
}

// Returns the object with deletionTimestamp and finalizers as the delete demands; the same object when it has them
// already.
async function marking(
  api: Api,
  target: Target,
  current: KubernetesObject,
  options: DeleteOptions,
): Promise<KubernetesObject> {
  const { metadata = {} } = current
  const finalizers = await finalizersFor(api, target, current, options)
  const before = metadata.finalizers ?? []
  const known = new Set(before)
  const sameFinalizers = finalizers.length === before.length && finalizers.every((each) => known.has(each))
  if (metadata.deletionTimestamp != null) {
    if (sameFinalizers && isHeld(target.type, current)) return current
    return { ...current, metadata: { ...metadata, finalizers } }
  }
  const marked = {
    ...current,
    metadata: {
      ...metadata,
      deletionTimestamp: timeToText(api.clock.now()),
      deletionGracePeriodSeconds: 0,
      ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
      ...(finalizers.length === 0 && before.length === 0 ? {} : { finalizers }),
    },
  }
  return target.type.strategy.prepareForDelete?.(marked) ?? marked
}

async function finalizersFor(
  api: Api,
  target: Target,
  { metadata = {} }: KubernetesObject,
  { propagation }: DeleteOptions,
): Promise<readonly string[]> {
  const { finalizers } = metadata
  const policy = propagation ?? target.type.strategy.defaultPropagation ?? 'Background'
  if (propagation === undefined && finalizers?.some((each) => each === orphanFinalizer || each === foregroundFinalizer))
    return finalizers
  const cleared = withoutFinalizer(withoutFinalizer(finalizers, orphanFinalizer), foregroundFinalizer) ?? []
  if (policy === 'Background' || !(await hasDependents(api, target, metadata.uid ?? ''))) return cleared
  return withFinalizer(cleared, policy === 'Foreground' ? foregroundFinalizer : orphanFinalizer)
}

// Without dependents, the foreground and orphan finalizers would have nothing to do.
async function hasDependents(api: Api, { place }: Target, uid: string): Promise<boolean> {
  return (await api.objects.count(dependentsRange(place.cluster, uid))) > 0
}

/** True while finalizers, or a rule of the kind, keep an object that is being deleted. */
export function isHeld({ strategy }: ResourceType, object: KubernetesObject): boolean {
  return (object.metadata?.finalizers?.length ?? 0) > 0 || (strategy.isHeld?.(object) ?? false)
}

async function store(
  api: Api,
  { type, resource, place }: Target,
  marked: KubernetesObject,
  current: KubernetesObject,
  before: StoredObject,
  held: boolean,
): Promise<KubernetesObject | undefined> {
  const after = toStorage(type, marked)
  const change = { resource, place, before, beforeObject: current, tag: type.storage.tag }
  const outcome = await api.objects.change([
    held ? { ...change, after } : { ...change, after: undefined, final: toStorage(type, current) },
  ])
  if (outcome.kind === 'moved') return undefined
  return withResourceVersion(held ? marked : current, outcome.objects[0]!.revision)
}
