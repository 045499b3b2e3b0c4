import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import {
  dns1035LabelName,
  dnsLabelName,
  dnsSubdomainName,
  type KubernetesObject,
  type NameRule,
  type ObjectMeta,
  pathSegmentName,
} from '@hykube/machinery/object'
import type { Strategy } from '@hykube/machinery/resource-type'
import { behaviours, type KindBehaviour } from './behaviour.ts'
import { zeroForm } from './json-form.ts'
import type { KindFacts } from './kind-table.ts'
import { typeFacts } from './type-table.ts'

/** Builds the write strategy of a built-in kind from its table entry and its behaviour. */
export function builtInStrategy(kind: KindFacts): Strategy {
  const behaviour = behaviours[kind.kind] ?? {}
  const hasStatus = kind.subresources.some((subresource) => subresource.name === 'status')
  const nameRule = nameRules[kind.kind] ?? dnsSubdomainName
  const fields = topFields(kind)
  const counted = fields.filter((field) => !notGenerationFields.has(field))
  return {
    validateName: (name, prefix) => nameRule(name, prefix ? 'prefix' : undefined),
    prepareForCreate: (object) => {
      // A Node's status may be set on create, because kubelets register themselves with it.
      const fresh = hasStatus && kind.kind !== 'Node' ? withField(object, 'status', initialStatus(kind)) : object
      const prepared = behaviour.prepareForCreate?.(fresh as JsonObject) ?? fresh
      return kindsWithGeneration.has(kind.kind) ? withGeneration(prepared, 1) : prepared
    },
    prepareForUpdate: (object, old) => {
      const kept = hasStatus ? withField(object, 'status', old.status as JsonValue | undefined) : object
      const prepared = behaviour.prepareForUpdate?.(kept as JsonObject, old as JsonObject) ?? kept
      return nextGeneration(prepared, old, kind.kind, counted)
    },
    prepareForStatusUpdate: (object, old) => statusUpdate(object, old, behaviour),
    allowUnconditionalUpdate: !requiresResourceVersion.has(kind.kind),
    allowCreateOnUpdate: createdByUpdate.has(kind.kind),
    returnsDeletedObject: answersWithDeleted.has(kind.kind) || kind.group === 'resource.k8s.io',
    ...((kind.kind === 'ReplicationController' || kind.kind === 'Job') && { defaultPropagation: 'Orphan' as const }),
    ...(behaviour.isHeld !== undefined && { isHeld: behaviour.isHeld as NonNullable<Strategy['isHeld']> }),
    ...(behaviour.prepareForDelete !== undefined && {
      prepareForDelete: behaviour.prepareForDelete as NonNullable<Strategy['prepareForDelete']>,
    }),
    ...(behaviour.warnings !== undefined && { warnings: behaviour.warnings as NonNullable<Strategy['warnings']> }),
  }
}

const nameRules: Readonly<Record<string, NameRule>> = {
  Namespace: dnsLabelName,
  Service: dns1035LabelName,
  Role: pathSegmentName,
  ClusterRole: pathSegmentName,
  RoleBinding: pathSegmentName,
  ClusterRoleBinding: pathSegmentName,
  APIService: pathSegmentName,
  ServiceCIDR: dnsSubdomainName,
}

/** Kinds that increment metadata.generation on changes. */
const kindsWithGeneration = new Set([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicationController', 'PodTemplate'],
  ...['Pod', 'PodDisruptionBudget', 'Ingress', 'IngressClass', 'NetworkPolicy', 'EndpointSlice', 'PriorityClass'],
  ...['ResourceSlice', 'DeviceClass', 'FlowSchema', 'PriorityLevelConfiguration', 'CustomResourceDefinition'],
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'ValidatingAdmissionPolicy'],
  ...['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
])

/** Kinds whose PUT requires a resourceVersion. */
const requiresResourceVersion = new Set([
  ...['RuntimeClass', 'PodDisruptionBudget', 'CSIDriver', 'CSIStorageCapacity', 'VolumeAttachment', 'CSINode', 'Lease'],
  ...['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy', 'MutatingWebhookConfiguration'],
  ...['ValidatingWebhookConfiguration', 'MutatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicyBinding'],
  ...['CustomResourceDefinition', 'APIService'],
])

// Kinds that a PUT to a nonexistent name creates.
const createdByUpdate = new Set([
  ...['RuntimeClass', 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'Lease'],
  ...['LimitRange', 'Event', 'Service', 'Endpoints'],
])

// Kinds whose DELETE returns the deleted object instead of a Status.
const answersWithDeleted = new Set([
  ...['Namespace', 'Pod', 'PersistentVolume', 'PersistentVolumeClaim', 'Service', 'ServiceAccount', 'PodTemplate'],
  ...['ResourceQuota', 'StorageClass', 'CSIDriver', 'CSINode', 'CSIStorageCapacity', 'VolumeAttachment'],
  ...['VolumeAttributesClass'],
])

/** Top-level fields whose change does not increment the generation. */
const notGenerationFields = new Set(['apiVersion', 'kind', 'metadata', 'status'])

function topFields(kind: KindFacts): string[] {
  return typeFacts(kind.typeName)!.fields.map((field) => field.name)
}

// The status of a new object is the zero value of its type.
function initialStatus(kind: KindFacts): JsonValue | undefined {
  const type = typeFacts(kind.typeName)?.fields.find((field) => field.name === 'status')?.type
  if (type?.kind !== 'type') return undefined
  return zeroForm(type.name, kind.kind, kind.version) as JsonValue
}

// A status update takes only the status, managedFields and resourceVersion from the client's object.
function statusUpdate(object: KubernetesObject, old: KubernetesObject, behaviour: KindBehaviour): KubernetesObject {
  const { metadata } = object
  const kept: ObjectMeta = {
    ...old.metadata,
    ...(metadata?.managedFields !== undefined && { managedFields: metadata.managedFields }),
    ...(metadata?.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  }
  const updated = withField({ ...old, metadata: kept }, 'status', object.status as JsonValue | undefined)
  return behaviour.prepareForStatusUpdate?.(updated as JsonObject, object as JsonObject, old as JsonObject) ?? updated
}

function nextGeneration(
  object: KubernetesObject,
  old: KubernetesObject,
  kind: string,
  counted: readonly string[],
): KubernetesObject {
  const before = old.metadata?.generation ?? 0
  if (!kindsWithGeneration.has(kind)) return withGeneration(object, before)
  const changed =
    counted.some((field) => !jsonEquals(object[field] as JsonValue, old[field] as JsonValue)) ||
    // The deployment controller reads annotations, so they increment a Deployment's generation.
    (kind === 'Deployment' &&
      !jsonEquals(
        (object.metadata?.annotations ?? null) as JsonValue,
        (old.metadata?.annotations ?? null) as JsonValue,
      ))
  return withGeneration(object, changed ? before + 1 : before)
}

function withGeneration(object: KubernetesObject, generation: number): KubernetesObject {
  if ((object.metadata?.generation ?? 0) === generation) return object
  return { ...object, metadata: { ...object.metadata, generation } }
}

function withField(object: KubernetesObject, field: string, value: JsonValue | undefined): KubernetesObject {
  if (value !== undefined) return { ...object, [field]: value }
  if (!(field in object)) return object
  const { [field]: _, ...rest } = object
  return rest as KubernetesObject
}
