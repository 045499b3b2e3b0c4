import { type JsonObject, type JsonValue, parseJsonText } from '@hykube/machinery/json'
import {
  type InstanceKey,
  type InstanceStates,
  isGone,
  type KindCatalogue,
  type ResourceKind,
  type ResourceRef,
  refFromText,
  type StateRecord,
} from '../model/index.ts'

/**
 * Returns an object's states in the format of a resource in a Terraform state file, with sensitive values and private bytes. `source` is
 * the full address of the provider; names are converted to names that Terraform accepts.
 */
export function stateDocument(
  ref: ResourceRef,
  kind: ResourceKind,
  states: readonly InstanceStates[],
  source: string,
  kinds: KindCatalogue,
): JsonObject {
  const configuration = states.find(({ current }) => current !== undefined)?.current?.record.configuration ?? ''
  const each = eachOf(states)
  return {
    kind: 'ResourceState',
    apiVersion: 'hykube.io/v1alpha1',
    metadata: { name: ref.name, namespace: ref.namespace },
    resource: {
      mode: 'managed',
      type: kind.type,
      name: terraformName(ref.name),
      ...(each !== undefined && { each }),
      provider: `provider[${JSON.stringify(source)}]${configuration === '' ? '' : `.${terraformName(configuration)}`}`,
      instances: states.flatMap((state) => instancesOf(ref, state, kinds)),
    },
  }
}

/** Converts a name to one that Terraform accepts: letters, digits, dashes and underscores, not starting with a digit. */
export function terraformName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
}

function eachOf(states: readonly InstanceStates[]): string | undefined {
  const [first] = states
  if (first?.instance === undefined) return undefined
  return typeof first.instance === 'number' ? 'list' : 'map'
}

function instancesOf(ref: ResourceRef, { instance, current, deposed }: InstanceStates, kinds: KindCatalogue) {
  const all: JsonValue[] = []
  if (current !== undefined && !isGone(current.record)) all.push(instanceOf(ref, instance, current.record, kinds))
  for (const { key, record } of deposed)
    all.push({ ...(instanceOf(ref, instance, record, kinds) as JsonObject), deposed: key })
  return all
}

function instanceOf(ref: ResourceRef, key: InstanceKey, record: StateRecord, kinds: KindCatalogue): JsonValue {
  const { status, schemaVersion, attributes, private: bytes, identity, createBeforeDestroy, sensitive = [] } = record
  const dependencies = record.dependencies.flatMap((text) => addressIn(ref, text, kinds))
  return {
    ...(key !== undefined && { index_key: key }),
    ...(status === 'tainted' && { status }),
    schema_version: schemaVersion,
    attributes: parseJsonText(attributes).value,
    sensitive_attributes: sensitive.map((path) => path.map(stepOf)) as JsonValue,
    ...(identity !== undefined && {
      identity_schema_version: identity.version,
      identity: parseJsonText(identity.json).value,
    }),
    ...(bytes !== undefined && { private: bytes }),
    ...(dependencies.length > 0 && { dependencies }),
    ...(createBeforeDestroy === true && { create_before_destroy: true }),
  }
}

// A state file has no namespaces, so dependencies in other namespaces are omitted.
function addressIn({ cluster, namespace }: ResourceRef, text: string, kinds: KindCatalogue): string[] {
  const target = refFromText(cluster, text)
  const kind = kinds.at(cluster, target.group, target.resource)
  if (kind === undefined || target.namespace !== namespace) return []
  return [`${kind.data ? 'data.' : ''}${kind.type}.${terraformName(target.name)}`]
}

function stepOf(step: string | number): JsonValue {
  if (typeof step === 'string') return { type: 'get_attr', value: step }
  return { type: 'index', value: { value: step, type: 'number' } }
}
