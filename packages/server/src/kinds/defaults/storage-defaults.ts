import { type Draft, ensure, fill, fillText, has } from '../draft.ts'

/** Defaults of a PersistentVolumeClaim. */
export function defaultClaim(object: Draft): void {
  fillText(ensure(object, 'status'), 'phase', 'Pending')
  if (has(object, 'spec')) fill(ensure(object, 'spec'), 'volumeMode', 'Filesystem')
}

/** Defaults of a PersistentVolume. */
export function defaultVolume(object: Draft): void {
  fillText(ensure(object, 'status'), 'phase', 'Pending')
  const spec = ensure(object, 'spec')
  fillText(spec, 'persistentVolumeReclaimPolicy', 'Retain')
  fill(spec, 'volumeMode', 'Filesystem')
  if (has(spec, 'hostPath')) fill(ensure(spec, 'hostPath'), 'type', '')
}

export function defaultStorageClass(object: Draft): void {
  fill(object, 'reclaimPolicy', 'Delete')
  fill(object, 'volumeBindingMode', 'Immediate')
}

export function defaultCsiDriver(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'attachRequired', true)
  fill(spec, 'podInfoOnMount', false)
  fill(spec, 'storageCapacity', false)
  fill(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType')
  fill(spec, 'requiresRepublish', false)
  fill(spec, 'seLinuxMount', false)
  if (!Array.isArray(spec.volumeLifecycleModes)) spec.volumeLifecycleModes = ['Persistent']
}
