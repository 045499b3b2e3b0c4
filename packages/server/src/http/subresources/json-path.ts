import type { KubernetesObject } from '@hykube/machinery/object'

/** Returns the value at a simple path (`.spec.replicas`), or undefined. */
export function valueAt(object: KubernetesObject, path: string): unknown {
  let value: unknown = object
  for (const field of fieldsOf(path)) value = isFields(value) && Object.hasOwn(value, field) ? value[field] : undefined
  return value
}

/** Returns the object with another value at a simple path; missing parent objects are created. */
export function withValueAt(object: KubernetesObject, path: string, value: unknown): KubernetesObject {
  return put(object, fieldsOf(path), value) as KubernetesObject
}

function put(container: unknown, [field, ...rest]: readonly string[], value: unknown): unknown {
  if (field === undefined) return value
  const fields = isFields(container) ? container : {}
  return { ...fields, [field]: put(fields[field], rest, value) }
}

function fieldsOf(path: string): string[] {
  return path.split('.').filter((field) => field !== '')
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
