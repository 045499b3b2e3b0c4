import type { KubernetesObject } from '@hykube/machinery/object'

/** Returns the fields that field selectors support for a kind, besides name and namespace, with their accessors. */
export function selectableFields(
  group: string,
  kind: string,
): ReadonlyMap<string, (object: KubernetesObject) => string> {
  const entries = group === 'events.k8s.io' ? eventFields : (fieldsByKind[kind] ?? {})
  return new Map(Object.entries(entries).map(([label, path]) => [label, reader(path)]))
}

const involvedObject = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

const eventFields: Readonly<Record<string, string>> = {
  ...Object.fromEntries(involvedObject.map((field) => [`regarding.${field}`, `regarding.${field}`])),
  reason: 'reason',
  reportingController: 'reportingController',
  type: 'type',
}

const fieldsByKind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Pod: same([
    ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork'],
    ...['status.phase', 'status.podIP', 'status.nominatedNodeName'],
  ]),
  Node: same(['spec.unschedulable']),
  ReplicationController: same(['status.replicas']),
  ReplicaSet: same(['status.replicas']),
  Job: { 'status.successful': 'status.succeeded' },
  Event: {
    ...same([...involvedObject.map((field) => `involvedObject.${field}`), 'reason', 'reportingComponent', 'type']),
    source: 'source.component',
  },
  Namespace: same(['status.phase']),
  Secret: same(['type']),
  Service: same(['spec.clusterIP', 'spec.type']),
  CertificateSigningRequest: same(['spec.signerName']),
  ResourceSlice: same(['spec.nodeName', 'spec.driver']),
}

function same(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, path]))
}

const zeros: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.replicas': '0',
  'status.succeeded': '0',
}

function reader(path: string): (object: KubernetesObject) => string {
  const parts = path.split('.')
  const zero = zeros[path] ?? ''
  return (object) => {
    let value: unknown = object
    for (const part of parts) value = (value as Record<string, unknown> | null | undefined)?.[part]
    return value === undefined || value === null ? zero : String(value)
  }
}
