// Derives the TypeScript types of configurations, plans and states from the types of a schema.

import type { Decimal, Unknown } from '@hykube/tfplugin/value'

/** Carries the value types in a configuration, plan and state. Only for type inference: the field never exists. */
export interface Viewed<C = unknown, P = unknown, S = unknown, D = C> {
  readonly views?: { readonly config: C; readonly planned: P; readonly state: S; readonly settled: D }
}

type Parts = Readonly<Record<string, Viewed>>

interface Schematic {
  readonly attributes: Parts
  readonly blocks: Parts
}

/** The values of attributes or blocks in a configuration. */
export type ConfigView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'config'> }
/** The values in a plan: computed ones may be unknown. */
export type PlannedView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'planned'> }
/** The values in a state: all are known, and write-only ones are null. */
export type StateView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'state'> }

/** The values in a configuration with its defaults. */
export type SettledView<A extends Parts> = { readonly [K in keyof A]: View<A[K], 'settled'> }

/** A configuration of a schema. */
export type Config<S extends Schematic> = ConfigView<S['attributes']> & ConfigView<S['blocks']>
export type Planned<S extends Schematic> = PlannedView<S['attributes']> & PlannedView<S['blocks']>
/** A configuration with its defaults, as data sources, ephemeral resources and `configure` receive it. */
export type Settled<S extends Schematic> = SettledView<S['attributes']> & SettledView<S['blocks']>
export type State<S extends Schematic> = StateView<S['attributes']> & StateView<S['blocks']>

/** A value of which any part may be unknown, as in configurations that depend on resources not applied yet. */
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
