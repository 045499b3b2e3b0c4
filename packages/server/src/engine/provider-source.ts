import { decodeObject, type ObjectStore } from '../resource/index.ts'

/** Where the package of a Provider comes from, in full as state files name it: `registry.terraform.io/hashicorp/time`. */
export async function providerSource(objects: ObjectStore, cluster: string, name: string): Promise<string> {
  const stored = await objects.get({ group: 'hykube.io', resource: 'providers' }, { cluster, namespace: '', name })
  const { spec, status } = (stored === undefined ? {} : decodeObject(stored.bytes)) as ProviderParts
  const source = status?.lock?.source ?? spec?.source ?? ''
  if (/^[^/.]+(\.[^/]+)+(:\d+)?\/[^/]+\/[^/]+$/.test(source)) return source
  if (/^[^/.]+\/[^/.]+$/.test(source)) return `registry.terraform.io/${source}`
  // A package that has no address is known by the Provider's name.
  return `registry.terraform.io/local/${name}`
}

interface ProviderParts {
  readonly spec?: { readonly source?: string }
  readonly status?: { readonly lock?: { readonly source?: string } }
}
