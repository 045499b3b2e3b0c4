import { isJsonObject, type JsonValue } from '@hykube/machinery/json'
import {
  dnsSubdomainName,
  invalidValue,
  type ObjectMeta,
  requiredValue,
  validateObjectMeta,
} from '@hykube/machinery/object'
import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'

/** Checks the objects embedded by x-kubernetes-embedded-resource: apiVersion, kind and valid metadata. */
export type EmbeddedCheck = (value: JsonValue, path: string) => StatusCause[]

/** Compiles the check; undefined when the schema embeds no objects. */
export function embeddedCheck(schema: JsonSchema): EmbeddedCheck | undefined {
  const own = schema['x-kubernetes-embedded-resource'] === true ? checkObject : undefined
  const inner = innerCheck(schema)
  if (own === undefined) return inner
  return (value, path) => [...own(value, path), ...(inner?.(value, path) ?? [])]
}

function innerCheck(schema: JsonSchema): EmbeddedCheck | undefined {
  if (schema.items !== undefined) {
    const check = embeddedCheck(schema.items)
    if (check === undefined) return undefined
    return (value, path) =>
      Array.isArray(value) ? value.flatMap((item, index) => check(item, `${path}[${index}]`)) : []
  }
  const additional = additionalSchema(schema)
  const other = additional === undefined ? undefined : embeddedCheck(additional)
  const fields = new Map<string, EmbeddedCheck>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const check = embeddedCheck(property)
    if (check !== undefined) fields.set(name, check)
  }
  if (fields.size === 0 && other === undefined) return undefined
  return (value, path) => {
    if (!isJsonObject(value)) return []
    return Object.entries(value).flatMap(([name, item]) => {
      const check = fields.get(name) ?? other
      return check?.(item, fields.has(name) ? `${path === '' ? '' : `${path}.`}${name}` : `${path}[${name}]`) ?? []
    })
  }
}

function checkObject(value: JsonValue, path: string): StatusCause[] {
  if (!isJsonObject(value)) return []
  const causes: StatusCause[] = []
  for (const field of ['apiVersion', 'kind']) {
    if (typeof value[field] !== 'string' || value[field] === '') {
      causes.push(requiredValue(`${path}.${field}`, 'must not be empty'))
    }
  }
  if (typeof value.apiVersion === 'string' && value.apiVersion.split('/').length > 2) {
    causes.push(
      invalidValue(`${path}.apiVersion`, value.apiVersion, `unexpected GroupVersion string: ${value.apiVersion}`),
    )
  }
  if (!isJsonObject(value.metadata)) return causes
  const metadata = value.metadata as ObjectMeta
  const named = metadata.name === undefined ? { ...metadata, name: 'fakename' } : metadata
  const rules = { namespaced: metadata.namespace !== undefined, name: dnsSubdomainName }
  return [...causes, ...validateObjectMeta(named, rules, `${path}.metadata`)]
}
