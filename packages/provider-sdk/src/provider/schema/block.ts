import type { Nesting } from '@hykube/tfplugin/schema'
import type { ConfigView, PlannedView, SettledView, StateView, Viewed } from '../views.ts'
import type { Attributes } from './attribute.ts'

/** A nested block. Type parameters: its value type in a configuration, a plan, a state, and a config with defaults. */
export interface BlockSpec<C = unknown, P = unknown, S = unknown, D = C> extends Viewed<C, P, S, D> {
  readonly kind: 'block'
  readonly nesting: Exclude<Nesting, 'group'>
  readonly attributes: Attributes
  readonly blocks: Blocks
  readonly options: BlockOptions
}

export type Blocks = Readonly<Record<string, BlockSpec>>

export interface BlockOptions {
  readonly description?: string
  readonly deprecated?: string
  /** Default 0. */
  readonly minItems?: number
  /** Default: unlimited. */
  readonly maxItems?: number
  /** Any change inside the block replaces the object. */
  readonly requiresReplace?: true
}

/** The content and the options of a block. */
export interface BlockContent<A extends Attributes, B extends Blocks> extends BlockOptions {
  readonly attributes: A
  readonly blocks?: B
}

/** Constructors of blocks: `block.list({ attributes: { … } })`. Prefer nested attributes in new schemas. */
export const block = {
  single: <const A extends Attributes, const B extends Blocks = Record<never, never>>(content: BlockContent<A, B>) =>
    make('single', content) as BlockSpec<
      (ConfigView<A> & ConfigView<B>) | null,
      (PlannedView<A> & PlannedView<B>) | null,
      (StateView<A> & StateView<B>) | null,
      (SettledView<A> & SettledView<B>) | null
    >,
  list: <const A extends Attributes, const B extends Blocks = Record<never, never>>(content: BlockContent<A, B>) =>
    make('list', content) as Elements<A, B>,
  set: <const A extends Attributes, const B extends Blocks = Record<never, never>>(content: BlockContent<A, B>) =>
    make('set', content) as Elements<A, B>,
  map: <const A extends Attributes, const B extends Blocks = Record<never, never>>(content: BlockContent<A, B>) =>
    make('map', content) as BlockSpec<
      Readonly<Record<string, ConfigView<A> & ConfigView<B>>>,
      Readonly<Record<string, PlannedView<A> & PlannedView<B>>>,
      Readonly<Record<string, StateView<A> & StateView<B>>>,
      Readonly<Record<string, SettledView<A> & SettledView<B>>>
    >,
}

type Elements<A extends Attributes, B extends Blocks> = BlockSpec<
  readonly (ConfigView<A> & ConfigView<B>)[],
  readonly (PlannedView<A> & PlannedView<B>)[],
  readonly (StateView<A> & StateView<B>)[],
  readonly (SettledView<A> & SettledView<B>)[]
>

function make(
  nesting: BlockSpec['nesting'],
  { attributes, blocks = {}, ...options }: BlockContent<Attributes, Blocks>,
): BlockSpec {
  return { kind: 'block', nesting, attributes, blocks, options }
}
