import { randomUUID } from 'node:crypto'
import { timeToText } from '@hykube/machinery/amounts'
import {
  clusterAnnotation,
  generateName,
  type KubernetesObject,
  type OwnerReference,
  uniqueOwnerReferences,
  validateObjectMeta,
} from '@hykube/machinery/object'
import { alreadyExists, badRequest, invalid, StatusError } from '@hykube/machinery/status'
import type { AdmissionRequest } from '../../admission/index.ts'
import type { StoredObject } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import type { RequestContext } from '../context.ts'
import { toStorage } from '../presentation/stored-form.ts'
import { rootCluster } from '../request-path.ts'
import { kindNameOf, resourceNameOf, type Target } from '../target.ts'
import type { WriteOptions } from '../write-options.ts'
import { CommitAdditions } from './commit-additions.ts'
import { pause } from './pause.ts'

/** Result of a write: the object in the served version, and its stored bytes unless it was a dry run. */
export interface Written {
  readonly object: KubernetesObject
  readonly stored: StoredObject | undefined
}

/** Sets the managed fields of an object; apply and update do it differently. */
export type ManageFields = (object: KubernetesObject) => KubernetesObject | Promise<KubernetesObject>

/**
 * Creates an object. Order: managed fields, mutating admission, the kind's preparation, validation, validating
 * admission, commit. The commit has the namespace as a precondition.
 */
export async function createObject(
  api: Api,
  context: RequestContext,
  target: Target,
  incoming: KubernetesObject,
  options: WriteOptions,
  manage: ManageFields,
): Promise<Written> {
  if (incoming.metadata?.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created')
  for (let attempt = 1; ; attempt++) {
    const { object, outcome } = await CommitAdditions.during(async (additions) => {
      const admitted = await admit(api, context, target, withName(incoming), options, manage, additions)
      return { object: admitted, outcome: await store(api, target, admitted, options, additions) }
    })
    if (outcome !== 'moved') return outcome
    const { name = '', generateName: base = '', namespace = '' } = object.metadata ?? {}
    api.namespaces.forget(target.place.cluster, namespace)
    if ((await api.objects.get(target.resource, { ...target.place, name })) === undefined) continue
    if (base === '' || incoming.metadata?.name) throw alreadyExists(resourceNameOf(target), name)
    if (attempt === maximumGeneratedNames)
      throw new StatusError('AlreadyExists', alreadyExists(resourceNameOf(target), name).message, {
        details: { retryAfterSeconds: 1 },
      })
  }
}

const maximumGeneratedNames = 8

async function admit(
  api: Api,
  context: RequestContext,
  target: Target,
  incoming: KubernetesObject,
  options: WriteOptions,
  manage: ManageFields,
  additions: CommitAdditions,
): Promise<KubernetesObject> {
  const { type, place } = target
  const filled = withSystemFields(incoming, place.cluster, timeToText(api.clock.now()), context)
  const request = admissionRequest(context, target, await manage(filled), options, additions)
  await pause(context)
  if (type.namespaced)
    await api.namespaces.forCreation(
      place.cluster,
      place.namespace,
      resourceNameOf(target),
      request.name,
      type.strategy.allowedInTerminatingNamespace,
    )
  const mutated = (await api.admission.mutate(request))!
  const object = type.strategy.prepareForCreate(mutated)
  await pause(context)
  validate(target, object)
  await api.admission.validate({ ...request, object })
  await pause(context)
  context.warnings.push(...(type.strategy.warnings?.(object, undefined) ?? []))
  return object
}

async function store(
  api: Api,
  target: Target,
  object: KubernetesObject,
  { dryRun }: WriteOptions,
  additions: CommitAdditions,
): Promise<Written | 'moved'> {
  const { type, resource, place: given } = target
  const place = { ...given, name: object.metadata?.name ?? '' }
  if (dryRun) {
    if ((await api.objects.get(resource, place)) !== undefined) throw alreadyExists(resourceNameOf(target), place.name)
    return { object, stored: undefined }
  }
  const change = { resource, place, before: undefined, after: toStorage(type, object), tag: type.storage.tag }
  const unmoved = type.namespaced
    ? [
        await api.namespaces.forCreation(
          place.cluster,
          place.namespace,
          resourceNameOf(target),
          place.name,
          type.strategy.allowedInTerminatingNamespace,
        ),
      ]
    : []
  const outcome = await api.objects.change([change, ...additions.changes], {
    unmoved,
    operations: additions.operations,
  })
  if (outcome.kind === 'moved') return 'moved'
  const stored = outcome.objects[0]!
  return { object: withResourceVersion(object, stored.revision), stored }
}

function withName(object: KubernetesObject): KubernetesObject {
  const { name, generateName: base } = object.metadata ?? {}
  if (name || !base) return object
  return { ...object, metadata: { ...object.metadata, name: generateName(base) } }
}

// Drops system fields that the client sent, and sets them.
function withSystemFields(
  object: KubernetesObject,
  cluster: string,
  now: string,
  { warnings }: RequestContext,
): KubernetesObject {
  const {
    uid: _uid,
    selfLink: _link,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    resourceVersion: _version,
    generation: _generation,
    creationTimestamp: _creation,
    ownerReferences,
    ...rest
  } = object.metadata ?? {}
  const owners = ownerReferences == null ? undefined : withoutDuplicates(ownerReferences, warnings)
  const annotations = cluster === rootCluster ? rest.annotations : { ...rest.annotations, [clusterAnnotation]: cluster }
  return {
    ...object,
    metadata: {
      ...rest,
      uid: randomUUID(),
      creationTimestamp: now,
      ...(annotations == null ? {} : { annotations }),
      ...(owners === undefined ? {} : { ownerReferences: owners }),
    },
  }
}

/** Removes duplicate owner references, with a warning to the client. */
export function withoutDuplicates(owners: readonly OwnerReference[], warnings: string[]): readonly OwnerReference[] {
  const { references, duplicates } = uniqueOwnerReferences(owners)
  if (duplicates.length > 0)
    warnings.push(
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
    )
  return references
}

function validate({ type }: Target, object: KubernetesObject): void {
  const { name = '', generateName: base = '' } = object.metadata ?? {}
  if (name === '' && base === '')
    throw invalid(kindNameOf({ type }), '', [
      {
        reason: 'FieldValueRequired',
        field: 'metadata.name',
        message: 'Required value: name or generateName is required',
      },
    ])
  const rules = {
    namespaced: type.namespaced,
    name: (text: string, prefix?: 'prefix') => type.strategy.validateName(text, prefix === 'prefix'),
  }
  const causes = [...validateObjectMeta(object.metadata ?? {}, rules), ...type.validate(object, undefined)]
  if (causes.length > 0) throw invalid(kindNameOf({ type }), name, causes)
}

function admissionRequest(
  context: RequestContext,
  { type, place }: Target,
  object: KubernetesObject,
  { dryRun }: WriteOptions,
  additions: CommitAdditions,
): AdmissionRequest {
  return {
    operation: 'CREATE',
    cluster: place.cluster,
    type,
    subresource: '',
    namespace: place.namespace,
    name: object.metadata?.name ?? '',
    object,
    old: undefined,
    user: context.user,
    dryRun,
    warn: (warning) => void context.warnings.push(warning),
    ...(dryRun ? {} : { addToCommit: additions.add }),
  }
}

export function withResourceVersion(object: KubernetesObject, revision: number): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
}
