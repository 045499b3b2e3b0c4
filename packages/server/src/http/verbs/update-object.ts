import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import {
  type KubernetesObject,
  type ObjectMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { badRequest, conflict, invalid, modified, notFound } from '@hykube/machinery/status'
import type { AdmissionRequest } from '../../admission/index.ts'
import type { StoredObject } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import { isResourceVersion, malformedNumberMessage } from '../list-options.ts'
import { objectFromStored, toStorage } from '../presentation/stored-form.ts'
import { kindNameOf, resourceNameOf, type Target } from '../target.ts'
import type { WriteOptions } from '../write-options.ts'
import { CommitAdditions } from './commit-additions.ts'
import { type Written, withoutDuplicates, withResourceVersion } from './create-object.ts'
import { isHeld } from './delete-object.ts'
import { pause } from './pause.ts'

/** Computes the new object from the current one. Called again when the object changed before the commit. */
export type Change = (current: KubernetesObject, storedBytes: number) => KubernetesObject | Promise<KubernetesObject>

export interface UpdateRequest {
  readonly subresource: string
  readonly options: WriteOptions
  readonly change: Change
  /** Limits the update to the fields of the endpoint. Default: the kind's rule for the object or its status. */
  readonly prepare?: (object: KubernetesObject, current: KubernetesObject) => KubernetesObject
  /** Sets the managed fields. */
  readonly manage: (
    object: KubernetesObject,
    current: KubernetesObject,
    storedBytes: number,
  ) => KubernetesObject | Promise<KubernetesObject>
}

/**
 * Updates an existing object. The new object has the revision it was computed from, or none where the kind allows it:
 * then the update is retried on the current object after a conflict. An update without changes is not written.
 */
export async function updateObject(
  api: Api,
  context: RequestContext,
  target: Target,
  request: UpdateRequest,
): Promise<Written> {
  for (;;) {
    const stored = await api.objects.get(target.resource, target.place)
    if (stored === undefined) throw notFound(resourceNameOf(target), target.place.name)
    const size = stored.bytes.length
    const current = objectFromStored(target.type, stored)
    await pause(context, size)
    const changed = await request.change(current, size)
    await pause(context, size)
    checkPreconditions(target, changed.metadata ?? {}, current)
    const written = await CommitAdditions.during(async (additions) => {
      const wanted = prepared(changed, current, context)
      const managed = await request.manage(wanted, current, size)
      await pause(context, size)
      const object = await admit(api, context, target, request, managed, current, size, additions)
      await pause(context, size)
      if (isSame(object, current)) return { object: current, stored }
      await pause(context, size)
      if (request.options.dryRun) return { object, stored: undefined }
      return store(api, target, object, current, stored, additions)
    })
    if (written !== undefined) return written
  }
}

// A client that sends a resourceVersion requires that the object did not change since.
function checkPreconditions(target: Target, { resourceVersion, uid }: ObjectMeta, current: KubernetesObject): void {
  const { type, place } = target
  const { metadata = {} } = current
  if (uid && uid !== metadata.uid)
    throw conflict(
      resourceNameOf(target),
      place.name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    )
  if (!resourceVersion || resourceVersion === '0') {
    if (type.strategy.allowUnconditionalUpdate) return
    throw invalid({ group: type.group, kind: type.names.plural }, place.name, [
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ])
  }
  if (!isResourceVersion(resourceVersion)) throw badRequest(malformedNumberMessage(resourceVersion))
  if (resourceVersion !== metadata.resourceVersion) throw modified(resourceNameOf(target), place.name)
}

// Fields set only by the server keep their current values.
function prepared(
  changed: KubernetesObject,
  current: KubernetesObject,
  { warnings }: RequestContext,
): KubernetesObject {
  const old = current.metadata ?? {}
  const { selfLink: _, ownerReferences, ...given } = changed.metadata ?? {}
  const metadata: Record<string, unknown> = { ...given }
  for (const field of serverFields) {
    if (old[field] === undefined) delete metadata[field]
    else metadata[field] = old[field]
  }
  if (ownerReferences != null) metadata.ownerReferences = withoutDuplicates(ownerReferences, warnings)
  return { ...changed, metadata: metadata as ObjectMeta }
}

const serverFields = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

async function admit(
  api: Api,
  context: RequestContext,
  target: Target,
  request: UpdateRequest,
  object: KubernetesObject,
  current: KubernetesObject,
  storedBytes: number,
  additions: CommitAdditions,
): Promise<KubernetesObject> {
  const { strategy } = target.type
  const admission = admissionRequest(context, target, request, object, current, additions)
  const mutated = (await api.admission.mutate(admission))!
  const usual = request.subresource === 'status' ? strategy.prepareForStatusUpdate : strategy.prepareForUpdate
  const prepare = request.prepare ?? usual
  const complete = prepare(mutated, current)
  await pause(context, storedBytes)
  validate(target, complete, current, request.subresource)
  await api.admission.validate({ ...admission, object: complete })
  context.warnings.push(...(strategy.warnings?.(complete, current) ?? []))
  return complete
}

function validate(
  { type, place }: Target,
  object: KubernetesObject,
  current: KubernetesObject,
  subresource: string,
): void {
  const rules = {
    namespaced: type.namespaced,
    // The name was validated on creation, perhaps by older rules.
    name: () => [],
  }
  const causes = [
    ...validateObjectMeta(object.metadata ?? {}, rules),
    ...validateObjectMetaUpdate(object.metadata ?? {}, current.metadata ?? {}),
    ...type.validate(object, current, subresource),
  ]
  if (causes.length > 0) throw invalid(kindNameOf({ type }), place.name, causes)
}

async function store(
  api: Api,
  { type, resource, place }: Target,
  object: KubernetesObject,
  current: KubernetesObject,
  before: StoredObject,
  additions: CommitAdditions,
): Promise<Written | undefined> {
  const after = toStorage(type, object)
  const change = { resource, place, before, beforeObject: current, tag: type.storage.tag }
  const outcome = await api.objects.change(
    [
      isFinished(type, object) ? { ...change, after: undefined, final: after } : { ...change, after },
      ...additions.changes,
    ],
    { operations: additions.operations },
  )
  if (outcome.kind === 'moved') return undefined
  const stored = outcome.objects[0]!
  return { object: withResourceVersion(object, stored.revision), stored }
}

// The last finalizer of an object marked for deletion was removed.
function isFinished(type: ResourceType, object: KubernetesObject): boolean {
  return object.metadata?.deletionTimestamp != null && !isHeld(type, object)
}

/** True when nothing changed except the times in managed fields. */
export function isSame(object: KubernetesObject, current: KubernetesObject): boolean {
  // The spec is compared first: most changes are there, and the rest is more expensive to compare.
  return (
    jsonEquals((object.spec ?? null) as JsonValue, (current.spec ?? null) as JsonValue) &&
    jsonEquals(withoutManagedTimes(object) as JsonValue, withoutManagedTimes(current) as JsonValue)
  )
}

function withoutManagedTimes(object: KubernetesObject): unknown {
  const { managedFields, ...metadata } = object.metadata ?? {}
  if (managedFields == null) return object
  return { ...object, metadata: { ...metadata, managedFields: managedFields.map(({ time: _, ...entry }) => entry) } }
}

function admissionRequest(
  context: RequestContext,
  { type, place }: Target,
  { subresource, options }: UpdateRequest,
  object: KubernetesObject,
  old: KubernetesObject,
  additions: CommitAdditions,
): AdmissionRequest {
  return {
    operation: 'UPDATE',
    cluster: place.cluster,
    type,
    subresource,
    namespace: place.namespace,
    name: place.name,
    object,
    old,
    user: context.user,
    dryRun: options.dryRun,
    warn: (warning) => void context.warnings.push(warning),
    ...(options.dryRun ? {} : { addToCommit: additions.add }),
  }
}
