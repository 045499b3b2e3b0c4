import { decodeObject, type ObjectPlace, type ObjectStore, type ResourcePlace } from '../resource/index.ts'

/** The text of a key of a Secret or ConfigMap; undefined when one of them is not there. */
export async function readKey(
  objects: ObjectStore,
  kind: 'secret' | 'configmap',
  place: ObjectPlace,
  key: string,
): Promise<string | undefined> {
  const stored = await objects.get(kind === 'secret' ? secrets : configMaps, place)
  if (stored === undefined) return undefined
  const { data } = decodeObject(stored.bytes) as { data?: Readonly<Record<string, string>> }
  const value = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined
  return value === undefined || kind === 'configmap' ? value : Buffer.from(value, 'base64').toString('utf8')
}

const secrets: ResourcePlace = { group: '', resource: 'secrets', encrypted: true }
const configMaps: ResourcePlace = { group: '', resource: 'configmaps' }
