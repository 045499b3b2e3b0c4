import type { JsonObject } from '@hykube/machinery/json'
import { copyJson, type Draft, ensure, has } from '../draft.ts'
import * as access from './access-defaults.ts'
import * as core from './core-defaults.ts'
import * as network from './network-defaults.ts'
import { defaultPod, defaultPodSpec } from './pod-defaults.ts'
import * as storage from './storage-defaults.ts'
import * as workload from './workload-defaults.ts'

/** Applies Kubernetes' defaults to a copy of the object. Returns the same object when its kind has none. */
export function withDefaults(kind: string, object: JsonObject): JsonObject {
  const setDefaults = defaultsByKind[kind]
  if (setDefaults === undefined) return object
  const draft = copyJson(object)
  setDefaults(draft)
  return draft
}

const defaultsByKind: Readonly<Record<string, (draft: Draft) => void>> = {
  Pod: defaultPod,
  PodTemplate: (draft) => {
    const template = ensure(draft, 'template')
    if (has(template, 'spec')) defaultPodSpec(ensure(template, 'spec'))
  },
  Secret: core.defaultSecret,
  Namespace: core.defaultNamespace,
  Node: core.defaultNode,
  LimitRange: core.defaultLimitRange,
  PriorityClass: core.defaultPriorityClass,
  Deployment: workload.defaultDeployment,
  ReplicaSet: workload.defaultReplicaSet,
  ReplicationController: workload.defaultReplicationController,
  DaemonSet: workload.defaultDaemonSet,
  StatefulSet: workload.defaultStatefulSet,
  Job: workload.defaultJob,
  CronJob: workload.defaultCronJob,
  HorizontalPodAutoscaler: workload.defaultAutoscaler,
  Service: network.defaultService,
  Endpoints: network.defaultEndpoints,
  EndpointSlice: network.defaultEndpointSlice,
  NetworkPolicy: network.defaultNetworkPolicy,
  IngressClass: network.defaultIngressClass,
  PersistentVolumeClaim: storage.defaultClaim,
  PersistentVolume: storage.defaultVolume,
  StorageClass: storage.defaultStorageClass,
  CSIDriver: storage.defaultCsiDriver,
  RoleBinding: access.defaultBinding,
  ClusterRoleBinding: access.defaultBinding,
  MutatingWebhookConfiguration: access.defaultWebhooks,
  ValidatingWebhookConfiguration: access.defaultWebhooks,
  ValidatingAdmissionPolicy: access.defaultAdmissionPolicy,
  MutatingAdmissionPolicy: access.defaultAdmissionPolicy,
  ValidatingAdmissionPolicyBinding: access.defaultPolicyBinding,
  MutatingAdmissionPolicyBinding: access.defaultPolicyBinding,
  APIService: access.defaultApiService,
  CustomResourceDefinition: access.defaultDefinition,
  FlowSchema: access.defaultFlowSchema,
  PriorityLevelConfiguration: access.defaultPriorityLevel,
  TokenRequest: access.defaultTokenRequest,
}
