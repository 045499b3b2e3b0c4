import type { Decimal, Unknown, Value } from '@hykube/tfplugin/value'
import { type ValueType, valueType } from './value-type.ts'
import type { ConfigView, PlannedView, SettledView, StateView, Viewed } from './views.ts'

/** What is said of an attribute besides its type. One of required, optional, computed or default must be there. */
export interface AttributeOptions<T> {
  readonly required?: true
  readonly optional?: true
  /** The provider gives it a value: where the configuration has none if it is optional, else always. */
  readonly computed?: true
  /** The value where the configuration has none; makes the attribute optional. */
  readonly default?: T
  readonly sensitive?: true
  /** Given in configurations and never kept in a state. */
  readonly writeOnly?: true
  readonly description?: string
  /** Why it should no longer be used, and what instead. */
  readonly deprecated?: string
  /** A change of it needs a new object. */
  readonly requiresReplace?: true
  /** The provider never changes it after creation, so that plans of updates can show the value of the state. */
  readonly useStateForUnknown?: true
  /** Says what is wrong with a value, or undefined. Asked only for values that are known and not null. */
  validate?(value: T): string | undefined
  /** The planned value, where the rules above do not suffice. Must follow from what it is given alone. */
  modifyPlan?(change: AttributeChange<T>): T | Unknown | null
}

export interface AttributeChange<T> {
  readonly config: T | Unknown | null
  /** Null when the object is created. */
  readonly prior: T | null
  /** What would be planned otherwise. */
  readonly planned: T | Unknown | null
  /** The object is new. */
  readonly creating: boolean
}

/** An attribute; the type parameters are what its values are in a configuration, a plan and a state. */
export interface AttributeSpec<C = unknown, P = unknown, S = unknown, D = C> extends Viewed<C, P, S, D> {
  readonly kind: 'attribute'
  readonly shape: AttributeShapeSpec
  readonly options: AttributeOptions<unknown>
}

export type AttributeShapeSpec =
  | { readonly kind: 'plain'; readonly of: ValueType<unknown> }
  | { readonly kind: 'nested'; readonly nesting: 'single' | 'list' | 'set' | 'map'; readonly attributes: Attributes }

export type Attributes = Readonly<Record<string, AttributeSpec>>

/** An attribute whose values have one form wherever they are. */
export type PlainAttribute<T, O> = AttributeSpec<InConfig<T, O>, InPlan<T, O>, InState<T, O>, InSettled<T, O>>

export type InConfig<T, O> = O extends { readonly required: true }
  ? T
  : O extends { readonly optional: true } | { readonly default: unknown }
    ? T | null
    : null

export type InSettled<T, O> = O extends { readonly default: unknown } ? T : InConfig<T, O>

export type InPlan<T, O> = O extends { readonly computed: true } ? InState<T, O> | Unknown : InState<T, O>

export type InState<T, O> = O extends { readonly writeOnly: true }
  ? null
  : O extends { readonly required: true } | { readonly default: unknown } | { readonly computed: true }
    ? T
    : T | null

/** Makes attributes: `attribute.string({ required: true })`. */
export const attribute = {
  string: plainMaker<string>(valueType.string),
  number: plainMaker<number>(valueType.number),
  decimal: plainMaker<Decimal>(valueType.decimal),
  bool: plainMaker<boolean>(valueType.bool),
  dynamic: plainMaker<Value>(valueType.dynamic),
  list: <T, const O extends AttributeOptions<readonly T[]>>(element: ValueType<T>, options: O) =>
    plain<readonly T[], O>(valueType.list(element), options),
  set: <T, const O extends AttributeOptions<readonly T[]>>(element: ValueType<T>, options: O) =>
    plain<readonly T[], O>(valueType.set(element), options),
  map: <T, const O extends AttributeOptions<Readonly<Record<string, T>>>>(element: ValueType<T>, options: O) =>
    plain<Readonly<Record<string, T>>, O>(valueType.map(element), options),
  /** Any type at all. */
  of: <T, const O extends AttributeOptions<T>>(type: ValueType<T>, options: O) => plain<T, O>(type, options),
  /** Attributes within an attribute: once, or as a list, set or map of them. */
  nested: <const A extends Attributes, const O extends AttributeOptions<StateView<A>>>(attributes: A, options: O) =>
    nested('single', attributes, options) as AttributeSpec<
      InConfig<ConfigView<A>, O>,
      InPlan<PlannedView<A>, O>,
      InState<StateView<A>, O>,
      InSettled<SettledView<A>, O>
    >,
  nestedList: <const A extends Attributes, const O extends AttributeOptions<readonly StateView<A>[]>>(
    attributes: A,
    options: O,
  ) => nested('list', attributes, options) as NestedElements<A, O>,
  nestedSet: <const A extends Attributes, const O extends AttributeOptions<readonly StateView<A>[]>>(
    attributes: A,
    options: O,
  ) => nested('set', attributes, options) as NestedElements<A, O>,
  nestedMap: <const A extends Attributes, const O extends AttributeOptions<Readonly<Record<string, StateView<A>>>>>(
    attributes: A,
    options: O,
  ) =>
    nested('map', attributes, options) as AttributeSpec<
      InConfig<Readonly<Record<string, ConfigView<A>>>, O>,
      InPlan<Readonly<Record<string, PlannedView<A>>>, O>,
      InState<Readonly<Record<string, StateView<A>>>, O>,
      InSettled<Readonly<Record<string, SettledView<A>>>, O>
    >,
}

type NestedElements<A extends Attributes, O> = AttributeSpec<
  InConfig<readonly ConfigView<A>[], O>,
  InPlan<readonly PlannedView<A>[], O>,
  InState<readonly StateView<A>[], O>,
  InSettled<readonly SettledView<A>[], O>
>

function plainMaker<T>(of: ValueType<T>) {
  return <const O extends AttributeOptions<T>>(options: O): PlainAttribute<T, O> => plain<T, O>(of, options)
}

function plain<T, O extends AttributeOptions<T>>(of: ValueType<T>, options: O): PlainAttribute<T, O> {
  return {
    kind: 'attribute',
    shape: { kind: 'plain', of: of as ValueType<unknown> },
    options: options as AttributeOptions<unknown>,
  }
}

function nested(
  nesting: 'single' | 'list' | 'set' | 'map',
  attributes: Attributes,
  options: AttributeOptions<unknown> | object,
): AttributeSpec {
  return { kind: 'attribute', shape: { kind: 'nested', nesting, attributes }, options }
}
