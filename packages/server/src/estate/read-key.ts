import { decodeObject, type ObjectLocation, type ObjectStore, type ResourceLocation } from '../resource/index.ts'

/** Reads a key of a Secret or ConfigMap; undefined when the object or the key doesn't exist. */
export async function readKey(
  objects: ObjectStore,
  kind: 'secret' | 'configmap',
  place: ObjectLocation,
  key: string,
): Promise<string | undefined> {
  const stored = await objects.get(kind === 'secret' ? secrets : configMaps, place)
  if (stored === undefined) return undefined
  const { data } = decodeObject(stored.bytes) as { data?: Readonly<Record<string, string>> }
  const value = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined
  return value === undefined || kind === 'configmap' ? value : Buffer.from(value, 'base64').toString('utf8')
}

const secrets: ResourceLocation = { group: '', resource: 'secrets', encrypted: true }
const configMaps: ResourceLocation = { group: '', resource: 'configmaps' }
