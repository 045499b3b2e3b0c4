import type { Decimal, Unknown } from '@hykube/tfplugin/value'

/** What has a form in a configuration, in a plan and in a state. Only for types: the field is never there. */
export interface Viewed<C = unknown, P = unknown, S = unknown, D = C> {
  readonly views?: { readonly config: C; readonly planned: P; readonly state: S; readonly settled: D }
}

type Parts = Readonly<Record<string, Viewed>>

interface Schematic {
  readonly attributes: Parts
  readonly blocks: Parts
}

/** What values of these attributes or blocks are in a configuration. */
export type ConfigView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'config'> }
/** The same in a plan: computed ones may be unknown. */
export type PlannedView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'planned'> }
/** The same in a state: all is known, and what is write-only is null. */
export type StateView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'state'> }

/** The same in a configuration with its defaults filled in. */
export type SettledView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'settled'> }

/** A configuration of a schema. */
export type Config<S extends Schematic> = ConfigView<S['attributes']> & ConfigView<S['blocks']>
export type Planned<S extends Schematic> = PlannedView<S['attributes']> & PlannedView<S['blocks']>
/** A configuration with its defaults filled in, as what is never planned gets it. */
export type Settled<S extends Schematic> = SettledView<S['attributes']> & SettledView<S['blocks']>
export type State<S extends Schematic> = StateView<S['attributes']> & StateView<S['blocks']>

/** Something of which any part may be unknown, as configurations are before everything else is applied. */
export type MaybeUnknown<T> =
  | Unknown
  | (T extends null | string | number | boolean | Decimal | Unknown
      ? T
      : T extends readonly (infer E)[]
        ? readonly MaybeUnknown<E>[]
        : { readonly [K in keyof T]: MaybeUnknown<T[K]> })

/** A configuration of which any part may be unknown. */
export type DraftConfig<S extends Schematic> = { readonly [K in keyof Config<S>]: MaybeUnknown<Config<S>[K]> }

type View<P, V extends 'config' | 'planned' | 'state' | 'settled'> = P extends { readonly views?: infer W }
  ? NonNullable<W>[V & keyof NonNullable<W>]
  : never
