import { type JsonObject, type JsonValue, parseJsonText } from '@hykube/machinery/json'
import {
  type InstanceKey,
  type InstanceStates,
  isGone,
  type KindCatalogue,
  type NodeKind,
  type NodePlace,
  nodeFromText,
  type StateRecord,
} from '../../plan/index.ts'

/**
 * What is known of an object as Terraform's state files have a resource: with sensitive values and private bytes. The
 * provider is the full address of its source, and names are such as Terraform takes.
 */
export function stateDocument(
  place: NodePlace,
  kind: NodeKind,
  states: readonly InstanceStates[],
  source: string,
  kinds: KindCatalogue,
): JsonObject {
  const configuration = states.find(({ current }) => current !== undefined)?.current?.record.configuration ?? ''
  const each = eachOf(states)
  return {
    kind: 'ResourceState',
    apiVersion: 'hykube.io/v1alpha1',
    metadata: { name: place.name, namespace: place.namespace },
    resource: {
      mode: 'managed',
      type: kind.type,
      name: terraformName(place.name),
      ...(each !== undefined && { each }),
      provider: `provider[${JSON.stringify(source)}]${configuration === '' ? '' : `.${terraformName(configuration)}`}`,
      instances: states.flatMap((state) => instancesOf(place, state, kinds)),
    },
  }
}

/** A name as Terraform takes it: letters, digits, dashes and underlines, and no digit first. */
export function terraformName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, '_')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
}

function eachOf(states: readonly InstanceStates[]): string | undefined {
  const [first] = states
  if (first?.instance === undefined) return undefined
  return typeof first.instance === 'number' ? 'list' : 'map'
}

function instancesOf(place: NodePlace, { instance, current, deposed }: InstanceStates, kinds: KindCatalogue) {
  const all: JsonValue[] = []
  if (current !== undefined && !isGone(current.record)) all.push(instanceOf(place, instance, current.record, kinds))
  for (const { key, record } of deposed)
    all.push({ ...(instanceOf(place, instance, record, kinds) as JsonObject), deposed: key })
  return all
}

function instanceOf(place: NodePlace, key: InstanceKey, record: StateRecord, kinds: KindCatalogue): JsonValue {
  const { status, schemaVersion, attributes, private: bytes, identity, createBeforeDestroy, sensitive = [] } = record
  const dependencies = record.dependencies.flatMap((text) => addressIn(place, text, kinds))
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

// A state file has no namespaces: what lies in another one is not in it.
function addressIn({ cluster, namespace }: NodePlace, text: string, kinds: KindCatalogue): string[] {
  const target = nodeFromText(cluster, text)
  const kind = kinds.at(cluster, target.group, target.resource)
  if (kind === undefined || target.namespace !== namespace) return []
  return [`${kind.data ? 'data.' : ''}${kind.type}.${terraformName(target.name)}`]
}

function stepOf(step: string | number): JsonValue {
  if (typeof step === 'string') return { type: 'get_attr', value: step }
  return { type: 'index', value: { value: step, type: 'number' } }
}
