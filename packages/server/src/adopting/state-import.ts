import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import { invalid, type StatusCause } from '@hykube/machinery/status'
import type { InstanceKey } from '../model/index.ts'

/** A client's request to import instances of a state file, or the real resource with an id, into one object. */
export interface StateImport {
  /** Empty when an id is given. */
  readonly instances: readonly StateInstance[]
  /** The provider's id of a real resource, to be imported and read. */
  readonly id?: string
  /** The ProviderConfig that manages the resource; empty for the default configuration. */
  readonly configuration: string
  /** The addresses that the resource depends on, as in expressions: `sim_network.main`. */
  readonly dependencies: readonly string[]
  /** Values of dependencies, to be replaced with references in the generated spec. */
  readonly references: readonly StateReference[]
  readonly labels?: JsonObject
  readonly annotations?: JsonObject
  /** Fields that override those of the generated spec. */
  readonly spec: JsonObject
  /** Addresses of objects of the same state file, whose resources may have the same ids. */
  readonly sharesIdsWith: readonly string[]
  /** True when any other object may manage a resource with the same id. */
  readonly allowSharedIds: boolean
  /** True when an earlier request imported other instances of the object: large objects take several requests. */
  readonly continues: boolean
}

/** A value of a dependency's attribute, and the expression that refers to it. */
export interface StateReference {
  readonly dependency: string
  readonly value: string
  readonly expression: string
}

/** One instance of a resource in a Terraform state file. */
export interface StateInstance {
  readonly key: InstanceKey
  /** The key of a deposed instance: replaced by a new one and not destroyed yet. */
  readonly deposed?: string
  readonly tainted: boolean
  readonly schemaVersion: number
  /** The attributes as JSON text, to keep every digit of numbers. */
  readonly attributes: string
  /** The provider's private data in base64. */
  readonly private?: string
  readonly identity?: { readonly version: number; readonly json: string }
  readonly createBeforeDestroy: boolean
  /** Top-level attributes that hold a value from a sensitive source. */
  readonly sensitive: readonly string[]
}

/** Parses the body of a request. Fails with 422 and one cause for each invalid field. */
export function stateImportFrom(
  document: JsonObject,
  of: { readonly group: string; readonly kind: string },
  name: string,
): StateImport {
  const causes: StatusCause[] = []
  const refuse = (field: string, message: string) =>
    void causes.push({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` })
  const {
    id,
    instances = id === undefined ? undefined : [],
    configuration = '',
    dependencies = [],
    references = [],
    labels,
    annotations,
    spec,
    sharesIdsWith = [],
    allowSharedIds = false,
  } = document
  if (id !== undefined && (typeof id !== 'string' || id === '')) refuse('id', 'must be the id of a real resource')
  if (!Array.isArray(instances) || (instances.length === 0) !== (id !== undefined))
    refuse('instances', 'must have at least one element, and none beside id')
  if (typeof configuration !== 'string') refuse('configuration', 'must be the name of a ProviderConfig')
  if (!isStrings(dependencies)) refuse('dependencies', 'must be strings such as sim_network.main')
  if (!isStrings(sharesIdsWith)) refuse('sharesIdsWith', 'must be strings such as random_password.main')
  if (typeof allowSharedIds !== 'boolean') refuse('allowSharedIds', 'must be true or false')
  if (!Array.isArray(references) || !references.every(isReference))
    refuse('references', 'each element must have the strings dependency, value and expression')
  for (const [field, value] of Object.entries({ labels, annotations, spec }))
    if (value !== undefined && !isJsonObject(value)) refuse(field, 'must be an object')
  const read = Array.isArray(instances) ? instances.flatMap((each, i) => instanceFrom(each, i, refuse) ?? []) : []
  rejectDuplicates(read, refuse)
  if (causes.length > 0) throw invalid(of, name, causes)
  return {
    instances: read,
    ...(typeof id === 'string' && { id }),
    configuration: configuration as string,
    dependencies: dependencies as string[],
    references: references as unknown as StateReference[],
    ...(isJsonObject(labels) && { labels }),
    ...(isJsonObject(annotations) && { annotations }),
    spec: isJsonObject(spec) ? spec : {},
    sharesIdsWith: sharesIdsWith as string[],
    allowSharedIds: allowSharedIds === true,
    continues: document.continues === true,
  }
}

type Refuse = (field: string, message: string) => void

function instanceFrom(given: JsonValue, index: number, refuse: Refuse): StateInstance | undefined {
  const at = `instances[${index}]`
  if (!isJsonObject(given)) return void refuse(at, 'must be an object')
  const { index_key: key, attributes, deposed, schema_version: version = 0, private: bytes, identity } = given
  if (!isJsonObject(attributes))
    return void refuse(`${at}.attributes`, 'must be set; state files older than Terraform 0.12 have no attributes')
  if (!isKey(key)) return void refuse(`${at}.index_key`, 'must be a string or an integer below 10000000')
  if (typeof version !== 'number') return void refuse(`${at}.schema_version`, 'must be a number')
  return {
    key: key ?? undefined,
    ...(typeof deposed === 'string' && deposed !== '' && { deposed }),
    tainted: given.status === 'tainted',
    schemaVersion: version,
    attributes: JSON.stringify(attributes),
    ...(typeof bytes === 'string' && bytes !== '' && { private: bytes }),
    ...(isJsonObject(identity) && {
      identity: { version: Number(given.identity_schema_version ?? 0), json: JSON.stringify(identity) },
    }),
    createBeforeDestroy: given.create_before_destroy === true,
    sensitive: sensitiveNames(given.sensitive_attributes),
  }
}

function isKey(key: JsonValue | undefined): key is string | number | null | undefined {
  if (typeof key === 'number') return Number.isInteger(key) && key >= 0 && key < 10_000_000
  return key === undefined || key === null || typeof key === 'string'
}

function isStrings(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isReference(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false
  return [value.dependency, value.value, value.expression].every((each) => typeof each === 'string' && each !== '')
}

// The format of state files: a path is a list of steps such as {"type": "get_attr", "value": "password"}. Only the first step counts.
function sensitiveNames(paths: JsonValue | undefined): string[] {
  if (!Array.isArray(paths)) return []
  return paths.flatMap((path) => {
    const first = Array.isArray(path) ? path[0] : undefined
    return isJsonObject(first) && typeof first.value === 'string' ? [first.value] : []
  })
}

function rejectDuplicates(instances: readonly StateInstance[], refuse: Refuse): void {
  const seen = new Set<string>()
  for (const [i, { key, deposed }] of instances.entries()) {
    const text = JSON.stringify([typeof key, key ?? null, deposed ?? null])
    if (seen.has(text)) refuse(`instances[${i}]`, 'another instance has the same key')
    seen.add(text)
  }
}
