import type { Decimal, Unknown } from '@hykube/tfplugin/value'

/** Attributes or blocks, as far as views look at them: what their values are. */
type Parts = Readonly<Record<string, { readonly views?: unknown }>>

/** A schema, as far as views look at it. */
interface SchemaParts {
  readonly attributes: Parts
  readonly blocks: Parts
}

/** What values of these attributes or blocks are in a configuration. */
export type ConfigView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'config'> }
/** The same in a plan: computed ones may be unknown. */
export type PlannedView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'planned'> }
/** The same in a state: all is known, and what is write-only is null. */
export type StateView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'state'> }

/** A configuration of a schema. */
export type Config<S extends SchemaParts> = ConfigView<S['attributes']> & ConfigView<S['blocks']>
export type Planned<S extends SchemaParts> = PlannedView<S['attributes']> & PlannedView<S['blocks']>
export type State<S extends SchemaParts> = StateView<S['attributes']> & StateView<S['blocks']>

/** Something of which any part may be unknown, as configurations are before everything else is applied. */
export type MaybeUnknown<T> =
  | Unknown
  | (T extends null | string | number | boolean | Decimal | Unknown
      ? T
      : T extends readonly (infer E)[]
        ? readonly MaybeUnknown<E>[]
        : { readonly [K in keyof T]: MaybeUnknown<T[K]> })

/** A configuration of which any part may be unknown. */
export type DraftConfig<S extends SchemaParts> = { readonly [K in keyof Config<S>]: MaybeUnknown<Config<S>[K]> }

type View<P, V extends 'config' | 'planned' | 'state'> = P extends { readonly views?: infer W }
  ? NonNullable<W>[V & keyof NonNullable<W>]
  : never
