import { ageOf } from '@hykube/machinery/amounts'
import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import { inside, items } from '../draft.ts'
import { age, type Column, count, field, joined, since, text, valueAt } from './column.ts'

/** Columns of the other core kinds, and of storage, scheduling and coordination. */
export const coreColumns: Readonly<Record<string, readonly Column[]>> = {
  ConfigMap: [
    { name: 'Data', type: 'integer', cell: (object) => size(object, 'data') + size(object, 'binaryData') },
    age,
  ],
  Secret: [field('Type', 'type'), { name: 'Data', type: 'integer', cell: (object) => size(object, 'data') }, age],
  ServiceAccount: [{ name: 'Secrets', type: 'integer', cell: (object) => items(object, 'secrets').length }, age],
  Namespace: [field('Status', 'status.phase'), age],
  LimitRange: [{ name: 'Created At', cell: (object) => valueAt(object, 'metadata.creationTimestamp') ?? '' }],
  ResourceQuota: [
    text('Request', (object) => quotaText(object, (name) => !name.startsWith('limits'))),
    text('Limit', (object) => quotaText(object, (name) => name.startsWith('limits'))),
    age,
  ],
  PersistentVolumeClaim: [
    text('Status', (claim) =>
      valueAt(claim, 'metadata.deletionTimestamp') === undefined
        ? (valueAt(claim, 'status.phase') ?? '')
        : 'Terminating',
    ),
    field('Volume', 'spec.volumeName'),
    text('Capacity', (claim) =>
      valueAt(claim, 'spec.volumeName') ? (valueAt(claim, 'status.capacity.storage') ?? '') : '',
    ),
    text('Access Modes', (claim) => (valueAt(claim, 'spec.volumeName') ? accessModes(inside(claim, 'status')) : '')),
    field('StorageClass', 'spec.storageClassName'),
    field('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
    age,
    field('VolumeMode', 'spec.volumeMode', '<unset>', true),
  ],
  PersistentVolume: [
    field('Capacity', 'spec.capacity.storage'),
    text('Access Modes', (volume) => accessModes(inside(volume, 'spec'))),
    field('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
    text('Status', (volume) =>
      valueAt(volume, 'metadata.deletionTimestamp') === undefined
        ? (valueAt(volume, 'status.phase') ?? '')
        : 'Terminating',
    ),
    text('Claim', (volume) => {
      const claim = inside(volume, 'spec', 'claimRef')
      return claim.name === undefined ? '' : `${String(claim.namespace ?? '')}/${String(claim.name)}`
    }),
    field('StorageClass', 'spec.storageClassName'),
    field('VolumeAttributesClass', 'spec.volumeAttributesClassName', '<unset>'),
    field('Reason', 'status.reason'),
    age,
    field('VolumeMode', 'spec.volumeMode', '<unset>', true),
  ],
  StorageClass: [
    field('Provisioner', 'provisioner'),
    field('ReclaimPolicy', 'reclaimPolicy', 'Delete'),
    field('VolumeBindingMode', 'volumeBindingMode', '<unset>'),
    text('AllowVolumeExpansion', (object) => valueAt(object, 'allowVolumeExpansion') ?? false),
    age,
  ],
  VolumeAttributesClass: [field('DriverName', 'driverName'), age],
  VolumeAttachment: [
    field('Attacher', 'spec.attacher'),
    field('PV', 'spec.source.persistentVolumeName'),
    field('Node', 'spec.nodeName'),
    text('Attached', (object) => valueAt(object, 'status.attached') ?? false),
    age,
  ],
  CSINode: [{ name: 'Drivers', type: 'integer', cell: (object) => items(object, 'spec', 'drivers').length }, age],
  CSIDriver: [
    text('AttachRequired', (object) => valueAt(object, 'spec.attachRequired') ?? true),
    text('PodInfoOnMount', (object) => valueAt(object, 'spec.podInfoOnMount') ?? false),
    text('StorageCapacity', (object) => valueAt(object, 'spec.storageCapacity') ?? false),
    text('TokenRequests', (object) => tokenAudiences(object)),
    text('RequiresRepublish', (object) => valueAt(object, 'spec.requiresRepublish') ?? false),
    text('Modes', (object) => joined((valueAt(object, 'spec.volumeLifecycleModes') as string[] | undefined) ?? [])),
    age,
  ],
  CSIStorageCapacity: [field('StorageClassName', 'storageClassName'), field('Capacity', 'capacity', '<unset>'), age],
  Lease: [field('Holder', 'spec.holderIdentity'), age],
  PriorityClass: [
    count('Value', 'value'),
    text('Global-Default', (object) => valueAt(object, 'globalDefault') ?? false),
    age,
    field('PreemptionPolicy', 'preemptionPolicy'),
  ],
  RuntimeClass: [field('Handler', 'handler'), age],
  ResourceClaim: [
    text('State', (claim) => {
      const states = [
        ...(valueAt(claim, 'metadata.deletionTimestamp') === undefined ? [] : ['deleted']),
        ...(valueAt(claim, 'status.allocation') === undefined ? ['pending'] : ['allocated']),
        ...(items(claim, 'status', 'reservedFor').length === 0 ? [] : ['reserved']),
      ]
      return states.join(',')
    }),
    age,
  ],
  ResourceSlice: [field('Node', 'spec.nodeName'), field('Driver', 'spec.driver'), field('Pool', 'spec.pool.name'), age],
}

/** Columns of events, which differ between the core and events.k8s.io groups. */
export function eventColumns(isCore: boolean): readonly Column[] {
  const about = isCore ? 'involvedObject' : 'regarding'
  const columns: Column[] = [
    { name: 'Last Seen', cell: (event, now) => ageOf(lastSeen(event), now) },
    field('Type', 'type'),
    field('Reason', 'reason'),
    text('Object', (event) => {
      const object = inside(event, about)
      const kind = String(object.kind ?? '').toLowerCase()
      return object.name === undefined ? kind : `${kind}/${String(object.name)}`
    }),
    field('Subobject', `${about}.fieldPath`, '', true),
    text('Source', (event) => source(inside(event, isCore ? 'source' : 'deprecatedSource'), event), true),
    text('Message', (event) => String(event[isCore ? 'message' : 'note'] ?? '').trim()),
    { ...since('First Seen', isCore ? 'firstTimestamp' : 'deprecatedFirstTimestamp'), wide: true },
    { name: 'Count', type: 'integer', wide: true, cell: (event) => eventCount(event) },
    { name: 'Name', wide: true, cell: (event) => valueAt(event, 'metadata.name') ?? '' },
  ]
  return columns
}

function lastSeen(event: JsonObject): JsonValue | undefined {
  return (
    valueAt(event, 'series.lastObservedTime') ??
    valueAt(event, 'lastTimestamp') ??
    valueAt(event, 'deprecatedLastTimestamp') ??
    valueAt(event, 'eventTime')
  )
}

function source(from: JsonObject, event: JsonObject): string {
  const component = from.component ?? event.reportingComponent ?? event.reportingController ?? ''
  return from.host ? `${String(component)}, ${String(from.host)}` : String(component)
}

function eventCount(event: JsonObject): JsonValue {
  return valueAt(event, 'series.count') ?? valueAt(event, 'count') ?? valueAt(event, 'deprecatedCount') ?? 1
}

function size(object: JsonObject, field: string): number {
  return Object.keys(inside(object, field)).length
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function accessModes(object: JsonObject): string {
  const modes = (object.accessModes as string[] | undefined) ?? []
  return Object.keys(shortModes)
    .filter((mode) => modes.includes(mode))
    .map((mode) => shortModes[mode])
    .join(',')
}

function quotaText(quota: JsonObject, isShown: (name: string) => boolean): string {
  const hard = inside(quota, 'status', 'hard')
  const used = inside(quota, 'status', 'used')
  return Object.keys(hard)
    .sort()
    .filter(isShown)
    .map((name) => `${name}: ${String(used[name] ?? '0')}/${String(hard[name])}`)
    .join(', ')
}

function tokenAudiences(object: JsonObject): string {
  const audiences = items(object, 'spec', 'tokenRequests').map((request) => String(request.audience || "''"))
  return audiences.length === 0 ? '<unset>' : audiences.join(',')
}
