import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import { base64FromText } from './base64-text.ts'
import { inside, items } from './draft.ts'
import { withAddressFamilies } from './service-addresses.ts'

/**
 * Behaviour of a kind on writes that can't be derived from the generated tables. Functions never modify their
 * arguments.
 */
export interface KindBehaviour {
  readonly prepareForCreate?: (object: JsonObject) => JsonObject
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject) => JsonObject
  /** `updated` is the old object with the new status; `given` is the client's object. */
  readonly prepareForStatusUpdate?: (updated: JsonObject, given: JsonObject, old: JsonObject) => JsonObject
  /** Applied to an object whose deletion was requested but is held back by finalizers or `isHeld`. */
  readonly prepareForDelete?: (object: JsonObject) => JsonObject
  /** Returns true when the kind holds back a deletion for another reason than metadata.finalizers. */
  readonly isHeld?: (object: JsonObject) => boolean
  readonly warnings?: (object: JsonObject, old: JsonObject | undefined) => readonly string[]
}

/** Behaviours by kind. */
export const behaviours: Readonly<Record<string, KindBehaviour>> = {
  Secret: {
    prepareForCreate: (object) => mergeStringData(object),
    prepareForUpdate: (object) => mergeStringData(object),
  },
  Namespace: {
    prepareForCreate: (object) => ({
      ...object,
      spec: { ...inside(object, 'spec'), finalizers: namespaceFinalizers(object) },
      status: { phase: 'Active' },
    }),
    prepareForUpdate: (object, old) => ({
      ...object,
      ...(old.spec !== undefined && {
        spec: { ...inside(object, 'spec'), finalizers: inside(old, 'spec').finalizers ?? [] },
      }),
    }),
    // A namespace is removed when the controllers in spec.finalizers have emptied it.
    prepareForDelete: (object) => ({ ...object, status: { ...inside(object, 'status'), phase: 'Terminating' } }),
    isHeld: (object) => {
      const { finalizers } = inside(object, 'spec')
      return Array.isArray(finalizers) && finalizers.length > 0
    },
  },
  Service: {
    prepareForCreate: withAddressFamilies,
    prepareForUpdate: withAddressFamilies,
  },
  Pod: {
    prepareForCreate: (object) => ({ ...object, status: { phase: 'Pending', qosClass: qualityOfService(object) } }),
  },
  PersistentVolume: { prepareForCreate: (object) => ({ ...object, status: { phase: 'Pending' } }) },
  PersistentVolumeClaim: { prepareForCreate: (object) => ({ ...object, status: { phase: 'Pending' } }) },
  Job: { prepareForCreate: selectOwnPods },
  CertificateSigningRequest: { prepareForUpdate: (object, old) => ({ ...object, spec: old.spec ?? {} }) },
}

// stringData is write-only: it is merged into data and never stored.
function mergeStringData(object: JsonObject): JsonObject {
  if (!('stringData' in object)) return object
  const { stringData, ...rest } = object
  const texts = Object.entries((stringData ?? {}) as Record<string, string>)
  if (texts.length === 0) return rest
  const data = { ...inside(rest, 'data') }
  for (const [key, text] of texts) data[key] = base64FromText(text)
  return { ...rest, data }
}

function namespaceFinalizers(object: JsonObject): JsonValue[] {
  const given = inside(object, 'spec').finalizers
  const others = Array.isArray(given) ? given.filter((finalizer) => finalizer !== 'kubernetes') : []
  return [...others, 'kubernetes']
}

// Guaranteed when every container's requests equal its limits, for both cpu and memory.
function qualityOfService(pod: JsonObject): string {
  const containers = [...items(pod, 'spec', 'containers'), ...items(pod, 'spec', 'initContainers')]
  const asks = (field: string) => containers.map((container) => inside(container, 'resources', field))
  const requests = asks('requests')
  const limits = asks('limits')
  const counted = ['cpu', 'memory']
  if (![...requests, ...limits].some((amounts) => counted.some((name) => name in amounts))) return 'BestEffort'
  const guaranteed = limits.every((limit, index) =>
    counted.every((name) => name in limit && (requests[index]![name] ?? limit[name]) === limit[name]),
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

// A job selects its pods by its own uid, unless manualSelector is set.
function selectOwnPods(job: JsonObject): JsonObject {
  const spec = inside(job, 'spec')
  const { uid, name } = inside(job, 'metadata')
  if (spec.manualSelector === true || typeof uid !== 'string') return job
  const template = inside(spec, 'template')
  const metadata = inside(template, 'metadata')
  const labels = {
    ...inside(metadata, 'labels'),
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name ?? '',
    'controller-uid': uid,
    'job-name': name ?? '',
  }
  const selector = spec.selector ?? { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } }
  return { ...job, spec: { ...spec, selector, template: { ...template, metadata: { ...metadata, labels } } } }
}
