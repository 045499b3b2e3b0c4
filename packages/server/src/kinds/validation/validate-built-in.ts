import type { JsonObject } from '@hykube/machinery/json'
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

/** What is wrong with an object of a built-in kind, in Kubernetes' words; `old` is there on update. */
export function validateBuiltIn(kind: string, object: JsonObject, old: JsonObject | undefined): readonly StatusCause[] {
  return validators[kind]?.(object, old) ?? []
}

/** Checks one kind. */
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
