import { decodeObject, type ObjectStore } from '../../resource/index.ts'

/** The full source address of a Provider as in state files: `registry.terraform.io/hashicorp/time`. */
export async function providerSource(objects: ObjectStore, cluster: string, name: string): Promise<string> {
  const stored = await objects.get({ group: 'hykube.io', resource: 'providers' }, { cluster, namespace: '', name })
  const { spec, status } = (stored === undefined ? {} : decodeObject(stored.bytes)) as ProviderParts
  const source = status?.lock?.source ?? spec?.source ?? ''
  if (/^[^/.]+(\.[^/]+)+(:\d+)?\/[^/]+\/[^/]+$/.test(source)) return source
  if (/^[^/.]+\/[^/.]+$/.test(source)) return `registry.terraform.io/${source}`
  // Packages from a file or URL have no address; the Provider's name stands in.
  return `registry.terraform.io/local/${name}`
}

interface ProviderParts {
  readonly spec?: { readonly source?: string }
  readonly status?: { readonly lock?: { readonly source?: string } }
}
