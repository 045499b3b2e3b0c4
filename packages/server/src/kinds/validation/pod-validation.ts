import type { JsonObject } from '@hykube/machinery/json'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import {
  dns1123LabelProblems,
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  valueNotFound,
} from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { inside, items } from '../draft.ts'
import { oneOf, present, textOf, validPort } from './checks.ts'

/** Checks a Pod, and on update that only mutable fields changed. */
export function validatePod(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const causes = validatePodSpec(inside(object, 'spec'), 'spec')
  return old === undefined ? causes : [...causes, ...validatePodChange(object, old)]
}

/** Checks the spec of a pod or pod template. */
export function validatePodSpec(spec: JsonObject, field: string): StatusCause[] {
  const volumes = items(spec, 'volumes')
  const containers = items(spec, 'containers')
  const known = new Set(volumes.map((volume) => textOf(volume, 'name')))
  const causes = named(volumes, `${field}.volumes`)
  if (containers.length === 0) causes.push(requiredValue(`${field}.containers`))
  const names = new Set<string>()
  for (const list of ['initContainers', 'containers']) {
    items(spec, list).forEach((container, index) => {
      causes.push(...validateContainer(container, `${field}.${list}[${index}]`, names, known))
    })
  }
  causes.push(...oneOf(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']))
  causes.push(
    ...oneOf(`${field}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
  )
  return causes
}

function validateContainer(
  container: JsonObject,
  field: string,
  names: Set<string>,
  volumes: Set<string>,
): StatusCause[] {
  const name = textOf(container, 'name')
  const causes = present(`${field}.name`, name)
  if (name !== '') {
    causes.push(...dns1123LabelProblems(name).map((problem) => invalidValue(`${field}.name`, name, problem)))
    if (names.has(name)) causes.push(duplicateValue(`${field}.name`, name))
    names.add(name)
  }
  causes.push(...present(`${field}.image`, container.image))
  causes.push(...oneOf(`${field}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']))
  items(container, 'ports').forEach((port, index) => {
    causes.push(...validPort(`${field}.ports[${index}].containerPort`, port.containerPort))
    causes.push(...oneOf(`${field}.ports[${index}].protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']))
  })
  items(container, 'env').forEach((env, index) => {
    causes.push(...present(`${field}.env[${index}].name`, env.name))
  })
  items(container, 'volumeMounts').forEach((mount, index) => {
    const place = `${field}.volumeMounts[${index}]`
    causes.push(...present(`${place}.mountPath`, mount.mountPath))
    if (!volumes.has(textOf(mount, 'name'))) causes.push(valueNotFound(`${place}.name`, textOf(mount, 'name')))
  })
  return causes
}

function named(list: readonly JsonObject[], field: string): StatusCause[] {
  const names = new Set<string>()
  return list.flatMap((item, index) => {
    const name = textOf(item, 'name')
    if (name === '') return [requiredValue(`${field}[${index}].name`)]
    if (names.has(name)) return [duplicateValue(`${field}[${index}].name`, name)]
    names.add(name)
    return dns1123LabelProblems(name).map((problem) => invalidValue(`${field}[${index}].name`, name, problem))
  })
}

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function validatePodChange(object: JsonObject, old: JsonObject): StatusCause[] {
  const now = comparable(inside(object, 'spec'))
  const before = comparable(inside(old, 'spec'))
  return jsonEquals(now, before) ? [] : [forbiddenValue('spec', changeable)]
}

// The spec without its mutable fields.
function comparable(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds, tolerations, schedulingGates, nodeName, ephemeralContainers, ...rest } = spec
  const withoutImage = (list: string): JsonValue =>
    items(spec, list).map(({ image, resources, ...container }) => container)
  return { ...rest, containers: withoutImage('containers'), initContainers: withoutImage('initContainers') }
}
