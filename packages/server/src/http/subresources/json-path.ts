import type { KubernetesObject } from '@hykube/machinery/object'

/** The value at a simple path (`.spec.replicas`); undefined when there is none. */
export function valueAt(object: KubernetesObject, path: string): unknown {
  let value: unknown = object
  for (const field of fieldsOf(path)) value = isFields(value) && Object.hasOwn(value, field) ? value[field] : undefined
  return value
}

/** The object with another value at a simple path; objects on the way are made where they lack. */
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
