import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import type { Schema } from '@hykube/tfplugin/value'
import { type KindMode, type KindNames, kindGroup, nameKinds } from './kind-names.ts'

/** A type of a provider as a kind of the API. */
export interface ProviderKind {
  /** The name of the Provider object. */
  readonly provider: string
  readonly mode: KindMode
  /** The provider's own name of the type, as `aws_s3_bucket`. */
  readonly type: string
  readonly group: string
  readonly version: string
  readonly names: KindNames
  /** What the provider says of the type. Read when it is asked for: who needs it often keeps it. */
  readonly schema: Schema
}

/** The names that a provider's kinds were served under before, by type. */
export interface TakenNames {
  readonly managed: ReadonlyMap<string, KindNames>
  readonly data: ReadonlyMap<string, KindNames>
}

/** The version that provider kinds have: their schema changes with the provider's version, not with this. */
export const kindVersion = 'v1'

/** The kinds of a provider, managed ones first, each in the order of their types. Costs a list of names. */
export function kindsOf(provider: string, schema: ProviderSchema, taken?: TakenNames): readonly ProviderKind[] {
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
