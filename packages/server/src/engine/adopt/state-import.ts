import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import { invalid, type StatusCause } from '@hykube/machinery/status'
import type { InstanceKey } from '../../plan/index.ts'

/** What a client wants to be taken over into one object. */
export interface StateImport {
  readonly instances: readonly StateInstance[]
  /** The ProviderConfig that it was made with; empty for the default one. */
  readonly configuration: string
  /** What it was made from, as expressions name it: `sim_network.main`. */
  readonly dependencies: readonly string[]
  /** Texts that stand for something of a dependency. */
  readonly references: readonly StateReference[]
  readonly labels?: JsonObject
  readonly annotations?: JsonObject
  /** Further fields of the specification, in place of those that are made. */
  readonly spec: JsonObject
  /** Whether the object has other instances already, from an earlier portion. */
  readonly continues: boolean
}

/** A text that is the value of something of a dependency, and how that is written. */
export interface StateReference {
  readonly dependency: string
  readonly value: string
  readonly expression: string
}

/** One object in the outside world, as an instance of a resource in a state file of Terraform. */
export interface StateInstance {
  readonly key: InstanceKey
  /** The key of one that was replaced and is still there. */
  readonly deposed?: string
  readonly tainted: boolean
  readonly schemaVersion: number
  /** JSON text. */
  readonly attributes: string
  /** In base64. */
  readonly private?: string
  readonly identity?: { readonly version: number; readonly json: string }
  readonly createBeforeDestroy: boolean
  /** Top-level attributes with something sensitive in it because of where it came from. */
  readonly sensitive: readonly string[]
}

/** Reads the body of a request; 422 with every place that does not hold. */
export function stateImportFrom(
  document: JsonObject,
  of: { readonly group: string; readonly kind: string },
  name: string,
): StateImport {
  const causes: StatusCause[] = []
  const refuse = (field: string, message: string) =>
    void causes.push({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` })
  const { instances, configuration = '', dependencies = [], references = [], labels, annotations, spec } = document
  if (!Array.isArray(instances) || instances.length === 0) refuse('instances', 'there must be at least one')
  if (typeof configuration !== 'string') refuse('configuration', 'it must be the name of a ProviderConfig')
  if (!isTexts(dependencies)) refuse('dependencies', 'they must be texts such as sim_network.main')
  if (!Array.isArray(references) || !references.every(isReference))
    refuse('references', 'each must have the texts dependency, value and expression')
  for (const [field, value] of Object.entries({ labels, annotations, spec }))
    if (value !== undefined && !isJsonObject(value)) refuse(field, 'it must be an object')
  const read = Array.isArray(instances) ? instances.flatMap((each, i) => instanceFrom(each, i, refuse) ?? []) : []
  refuseDoubles(read, refuse)
  if (causes.length > 0) throw invalid(of, name, causes)
  return {
    instances: read,
    configuration: configuration as string,
    dependencies: dependencies as string[],
    references: references as unknown as StateReference[],
    ...(isJsonObject(labels) && { labels }),
    ...(isJsonObject(annotations) && { annotations }),
    spec: isJsonObject(spec) ? spec : {},
    continues: document.continues === true,
  }
}

type Refuse = (field: string, message: string) => void

function instanceFrom(given: JsonValue, index: number, refuse: Refuse): StateInstance | undefined {
  const at = `instances[${index}]`
  if (!isJsonObject(given)) return void refuse(at, 'it must be an object')
  const { index_key: key, attributes, deposed, schema_version: version = 0, private: bytes, identity } = given
  if (!isJsonObject(attributes))
    return void refuse(`${at}.attributes`, 'they must be there; states older than Terraform 0.12 have none')
  if (!isKey(key)) return void refuse(`${at}.index_key`, 'it must be a text or a whole number below 10000000')
  if (typeof version !== 'number') return void refuse(`${at}.schema_version`, 'it must be a number')
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

function isTexts(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isReference(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false
  return [value.dependency, value.value, value.expression].every((each) => typeof each === 'string' && each !== '')
}

// Paths are lists of steps: {"type": "get_attr", "value": "password"}.
function sensitiveNames(paths: JsonValue | undefined): string[] {
  if (!Array.isArray(paths)) return []
  return paths.flatMap((path) => {
    const first = Array.isArray(path) ? path[0] : undefined
    return isJsonObject(first) && typeof first.value === 'string' ? [first.value] : []
  })
}

function refuseDoubles(instances: readonly StateInstance[], refuse: Refuse): void {
  const seen = new Set<string>()
  for (const [i, { key, deposed }] of instances.entries()) {
    const text = JSON.stringify([typeof key, key ?? null, deposed ?? null])
    if (seen.has(text)) refuse(`instances[${i}]`, 'there is another one with the same key')
    seen.add(text)
  }
}
