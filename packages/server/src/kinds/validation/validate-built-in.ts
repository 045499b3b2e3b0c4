import type { JsonObject } from '@hykube/machinery/json'
import { type KubernetesObject, validateQualifiedFinalizers } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { validateBinding, validateRole, validateWebhooks } from './access-validation.ts'
import {
  validateConfigMap,
  validateNamespace,
  validateQuota,
  validateSecret,
  validateService,
} from './core-validation.ts'
import { validatePod } from './pod-validation.ts'
import { validateClaim, validateStorageClass } from './storage-validation.ts'
import {
  validateAutoscaler,
  validateCronJob,
  validateDisruptionBudget,
  validateJob,
  validateSelectingWorkload,
  validateStatefulSet,
} from './workload-validation.ts'

/** Returns the validation errors of a built-in object with Kubernetes' messages. `old` is set on updates. */
export function validateBuiltIn(
  { group, kind }: { readonly group: string; readonly kind: string },
  object: JsonObject,
  old: JsonObject | undefined,
): readonly StatusCause[] {
  const finalizers = plainFinalizers.has(group) || kind === 'Event' ? [] : finalizerCauses(object, old)
  return [...finalizers, ...(validators[kind]?.(object, old) ?? [])]
}

/** Groups whose finalizers need no domain prefix. */
const plainFinalizers: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
])

function finalizerCauses(object: KubernetesObject, old: KubernetesObject | undefined): StatusCause[] {
  const { finalizers } = object.metadata ?? {}
  if (finalizers == null) return []
  return validateQualifiedFinalizers(finalizers, old?.metadata?.finalizers ?? [], 'metadata.finalizers')
}

/** Validates objects of one kind. */
type Validator = (object: JsonObject, old: JsonObject | undefined) => StatusCause[]

const validators: Readonly<Record<string, Validator>> = {
  ConfigMap: validateConfigMap,
  Secret: validateSecret,
  Namespace: validateNamespace,
  Service: validateService,
  ResourceQuota: validateQuota,
  Pod: validatePod,
  Deployment: validateSelectingWorkload,
  ReplicaSet: validateSelectingWorkload,
  DaemonSet: validateSelectingWorkload,
  StatefulSet: validateStatefulSet,
  Job: validateJob,
  CronJob: validateCronJob,
  HorizontalPodAutoscaler: validateAutoscaler,
  PodDisruptionBudget: validateDisruptionBudget,
  PersistentVolumeClaim: validateClaim,
  StorageClass: validateStorageClass,
  Role: validateRole,
  ClusterRole: validateRole,
  RoleBinding: validateBinding,
  ClusterRoleBinding: validateBinding,
  MutatingWebhookConfiguration: validateWebhooks,
  ValidatingWebhookConfiguration: validateWebhooks,
}
