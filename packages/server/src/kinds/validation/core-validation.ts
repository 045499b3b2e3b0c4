import { compareQuantities, quantityFromInteger, quantityFromText } from '@hykube/machinery/amounts'
import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import {
  configMapKeyProblems,
  dns1123LabelProblems,
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  tooLong,
  validateQualifiedFinalizers,
} from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { base64Length } from '../base64-text.ts'
import { inside, items } from '../draft.ts'
import { oneOf, textOf, unchanged, validPort } from './checks.ts'

const maximumSecretBytes = 1024 * 1024

/** Checks keys and size of a ConfigMap, and that an immutable one does not change. */
export function validateConfigMap(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const data = inside(object, 'data')
  const binary = inside(object, 'binaryData')
  const causes = [...keyProblems('data', data), ...keyProblems('binaryData', binary)]
  for (const key of Object.keys(binary)) {
    if (key in data) causes.push(invalidValue(`data[${key}]`, key, `duplicate of key present in binaryData`))
  }
  const size = textBytes(data) + binaryBytes(binary)
  if (size > maximumSecretBytes) causes.push(tooLong('', maximumSecretBytes))
  return old === undefined ? causes : [...causes, ...immutability(object, old, ['data', 'binaryData'])]
}

/** Checks keys, size and required keys of a Secret's type; the type, and an immutable Secret, can't change. */
export function validateSecret(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const data = inside(object, 'data')
  const causes = [...keyProblems('data', data), ...secretTypeProblems(object, data)]
  if (binaryBytes(data) > maximumSecretBytes) causes.push(tooLong('data', maximumSecretBytes))
  if (old === undefined) return causes
  return [...causes, ...unchanged('type', object.type, old.type), ...immutability(object, old, ['data'])]
}

/** Checks a Namespace's finalizers. */
export function validateNamespace(object: JsonObject): StatusCause[] {
  const finalizers = inside(object, 'spec').finalizers
  if (!Array.isArray(finalizers)) return []
  return validateQualifiedFinalizers(finalizers.map(String), [], 'spec.finalizers')
}

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const protocols = ['SCTP', 'TCP', 'UDP']

/** Checks type and ports of a Service, and that its cluster IP does not change. */
export function validateService(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const spec = inside(object, 'spec')
  const causes = oneOf('spec.type', spec.type, serviceTypes)
  const ports = items(spec, 'ports')
  const needsPorts = spec.type !== 'ExternalName' && spec.clusterIP !== 'None'
  if (needsPorts && ports.length === 0) causes.push(requiredValue('spec.ports'))
  if (spec.type === 'ExternalName' && textOf(spec, 'externalName') === '') {
    causes.push(requiredValue('spec.externalName'))
  }
  causes.push(...oneOf('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']))
  causes.push(...portProblems(ports))
  const before = inside(old ?? {}, 'spec')
  if (textOf(before, 'clusterIP') !== '' && before.type !== 'ExternalName' && spec.type !== 'ExternalName') {
    if (spec.clusterIP !== before.clusterIP)
      causes.push(invalidValue('spec.clusterIPs[0]', [spec.clusterIP ?? ''], 'may not change once set'))
  }
  return causes
}

/** Checks the amounts of a ResourceQuota, and that its scopes do not change. */
export function validateQuota(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const spec = inside(object, 'spec')
  const causes = Object.entries(inside(spec, 'hard')).flatMap(([name, amount]) =>
    compareQuantities(quantityFromText(String(amount)), quantityFromInteger(0)) < 0
      ? [invalidValue(`spec.hard[${name}]`, amount, 'must be greater than or equal to 0')]
      : [],
  )
  return old === undefined ? causes : [...causes, ...unchanged('spec.scopes', spec.scopes, inside(old, 'spec').scopes)]
}

function portProblems(ports: readonly JsonObject[]): StatusCause[] {
  const names = new Set<string>()
  const seen = new Set<string>()
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`
    const name = textOf(port, 'name')
    const causes: StatusCause[] = []
    if (name === '' && ports.length > 1) causes.push(requiredValue(`${field}.name`))
    else if (name !== '') {
      causes.push(...dns1123LabelProblems(name).map((problem) => invalidValue(`${field}.name`, name, problem)))
      if (names.has(name)) causes.push(duplicateValue(`${field}.name`, name))
      names.add(name)
    }
    causes.push(...validPort(`${field}.port`, port.port), ...oneOf(`${field}.protocol`, port.protocol, protocols))
    const key = `${String(port.protocol)}/${String(port.port)}`
    if (seen.has(key)) causes.push(duplicateValue(field, { port: port.port ?? 0, protocol: port.protocol ?? '' }))
    seen.add(key)
    return causes
  })
}

function keyProblems(field: string, data: JsonObject): StatusCause[] {
  return Object.keys(data).flatMap((key) =>
    configMapKeyProblems(key).map((problem) => invalidValue(`${field}[${key}]`, key, problem)),
  )
}

const secretKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

function secretTypeProblems(object: JsonObject, data: JsonObject): StatusCause[] {
  const type = textOf(object, 'type')
  const missing = (secretKeys[type] ?? []).filter((key) => data[key] === undefined)
  const causes = missing.map((key) => requiredValue(`data[${key}]`))
  if (type === 'kubernetes.io/basic-auth' && data.username === undefined && data.password === undefined) {
    causes.push(requiredValue('data[username]'), requiredValue('data[password]'))
  }
  const account = inside(object, 'metadata', 'annotations')['kubernetes.io/service-account.name']
  if (type === 'kubernetes.io/service-account-token' && !account) {
    causes.push(requiredValue('metadata.annotations[kubernetes.io/service-account.name]'))
  }
  return causes
}

function immutability(object: JsonObject, old: JsonObject, fields: readonly string[]): StatusCause[] {
  if (old.immutable !== true) return []
  const detail = 'field is immutable when `immutable` is set'
  const causes = object.immutable === true ? [] : [forbiddenValue('immutable', detail)]
  const changed = fields.filter(
    (field) => !jsonEquals((object[field] ?? {}) as JsonValue, (old[field] ?? {}) as JsonValue),
  )
  return [...causes, ...changed.map((field) => forbiddenValue(field, detail))]
}

function textBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0)
}

function binaryBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, text) => sum + base64Length(String(text ?? '')), 0)
}
