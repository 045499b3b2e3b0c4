import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import type { Schema } from '@hykube/tfplugin/schema'
import { type KindMode, type KindNames, kindGroup, nameKinds } from './kind-names.ts'

/** A type of a provider as a kind of the API. */
export interface ProviderKind {
  /** The name of the Provider object. */
  readonly provider: string
  readonly mode: KindMode
  /** The provider's name of the type, such as `aws_s3_bucket`. */
  readonly type: string
  readonly group: string
  readonly version: string
  readonly names: KindNames
  /** The schema of the type. Decoded on each access, so callers that need it often cache it. */
  readonly schema: Schema
}

/** The previously served names of a provider's kinds, by type. */
export interface ServedNames {
  readonly managed: ReadonlyMap<string, KindNames>
  readonly data: ReadonlyMap<string, KindNames>
}

/** The API version of provider kinds. It is constant; schemas change with the provider's version. */
export const kindVersion = 'v1'

/** The kinds of a provider: resources first, then data sources, each sorted by type. Decodes no schema. */
export function kindsOf(provider: string, schema: ProviderSchema, taken?: ServedNames): readonly ProviderKind[] {
  return [
    ...kindsOfMode(provider, 'managed', schema.resources, taken?.managed),
    ...kindsOfMode(provider, 'data', schema.dataSources, taken?.data),
  ]
}

function kindsOfMode(
  provider: string,
  mode: KindMode,
  schemas: ReadonlyMap<string, Schema>,
  taken: ReadonlyMap<string, KindNames> | undefined,
): ProviderKind[] {
  const group = kindGroup(provider, mode)
  return [...nameKinds(schemas.keys(), mode, taken)].map(([type, names]) => ({
    provider,
    mode,
    type,
    group,
    version: kindVersion,
    names,
    get schema() {
      return schemas.get(type)!
    },
  }))
}
