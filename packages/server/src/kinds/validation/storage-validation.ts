import { type JsonObject, jsonEquals } from '@hykube/machinery/json'
import { forbiddenValue, requiredValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { inside } from '../draft.ts'
import { oneOf, present, unchanged } from './checks.ts'

const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']

/** Checks a PersistentVolumeClaim. After creation only its request may grow. */
export function validateClaim(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const spec = inside(object, 'spec')
  const modes = Array.isArray(spec.accessModes) ? spec.accessModes : []
  const causes = modes.length === 0 ? [requiredValue('spec.accessModes', 'at least 1 access mode is required')] : []
  for (const mode of modes) causes.push(...oneOf('spec.accessModes', mode, accessModes))
  if (inside(spec, 'resources', 'requests').storage === undefined) {
    causes.push(requiredValue('spec.resources[storage]'))
  }
  if (old !== undefined && !jsonEquals(fixedPart(spec), fixedPart(inside(old, 'spec')))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    causes.push(forbiddenValue('spec', detail))
  }
  return causes
}

/** Checks a StorageClass, whose provisioner and parameters are immutable. */
export function validateStorageClass(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const causes = present('provisioner', object.provisioner)
  causes.push(...oneOf('reclaimPolicy', object.reclaimPolicy, ['Delete', 'Retain']))
  causes.push(...oneOf('volumeBindingMode', object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']))
  if (old === undefined) return causes
  if (!jsonEquals(object.parameters ?? {}, old.parameters ?? {})) {
    causes.push(forbiddenValue('parameters', 'updates to parameters are forbidden.'))
  }
  if (object.provisioner !== old.provisioner) {
    causes.push(forbiddenValue('provisioner', 'updates to provisioner are forbidden.'))
  }
  causes.push(...unchanged('reclaimPolicy', object.reclaimPolicy, old.reclaimPolicy))
  return [...causes, ...unchanged('volumeBindingMode', object.volumeBindingMode, old.volumeBindingMode)]
}

function fixedPart(spec: JsonObject): JsonObject {
  const { resources, volumeAttributesClassName, volumeName, ...fixed } = spec
  return fixed
}
