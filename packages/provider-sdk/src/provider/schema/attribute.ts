import type { Decimal, Unknown, Value } from '@hykube/tfplugin/value'
import type { ConfigView, PlannedView, SettledView, StateView, Viewed } from '../views.ts'
import { type ValueType, valueType } from './value-type.ts'

/** The options of an attribute. One of required, optional, computed or default must be set. */
export interface AttributeOptions<T> {
  readonly required?: true
  readonly optional?: true
  /** The provider sets the value: always, or if the attribute is also optional, when the configuration has none. */
  readonly computed?: true
  /** The value when the configuration has none; makes the attribute optional. */
  readonly default?: T
  readonly sensitive?: true
  /** The value is sent to the provider but never stored in a state. */
  readonly writeOnly?: true
  readonly description?: string
  /** The deprecation message: the reason and the replacement. */
  readonly deprecated?: string
  /** A change of the attribute replaces the object. */
  readonly requiresReplace?: true
  /** The value never changes after creation, so that the plan of an update shows the state's value, not unknown. */
  readonly useStateForUnknown?: true
  /** Returns the problem of a value, or undefined. Called only for known values other than null. */
  validate?(value: T): string | undefined
  /** Returns the planned value when the options above do not suffice. It must be a pure function of its argument. */
  modifyPlan?(change: AttributeChange<T>): T | Unknown | null
}

/** The argument of `modifyPlan` of an attribute. */
export interface AttributeChange<T> {
  readonly config: T | Unknown | null
  /** Null when the object is created. */
  readonly prior: T | null
  /** The value that would be planned without `modifyPlan`. */
  readonly planned: T | Unknown | null
  /** True when the object is created. */
  readonly creating: boolean
}

/** An attribute. Type parameters: its value type in a configuration, a plan, a state, and a configuration with defaults. */
export interface AttributeSpec<C = unknown, P = unknown, S = unknown, D = C> extends Viewed<C, P, S, D> {
  readonly kind: 'attribute'
  readonly shape: AttributeShapeSpec
  readonly options: AttributeOptions<unknown>
}

/** A value of one type, or nested attributes in one of Terraform's nesting modes. */
export type AttributeShapeSpec =
  | { readonly kind: 'plain'; readonly of: ValueType<unknown> }
  | { readonly kind: 'nested'; readonly nesting: 'single' | 'list' | 'set' | 'map'; readonly attributes: Attributes }

export type Attributes = Readonly<Record<string, AttributeSpec>>

/** An attribute with the same value type T everywhere; the options O decide where it can be null or unknown. */
export type PlainAttribute<T, O> = AttributeSpec<InConfig<T, O>, InPlan<T, O>, InState<T, O>, InSettled<T, O>>

/** The type in a configuration: null when it may be omitted or is set by the provider only. */
export type InConfig<T, O> = O extends { readonly required: true }
  ? T
  : O extends { readonly optional: true } | { readonly default: unknown }
    ? T | null
    : null

/** The type in a configuration with defaults, where an attribute with a default is never null. */
export type InSettled<T, O> = O extends { readonly default: unknown } ? T : InConfig<T, O>

/** The type in a plan, where a computed attribute may be unknown. */
export type InPlan<T, O> = O extends { readonly computed: true } ? InState<T, O> | Unknown : InState<T, O>

/** The type in a state: null for write-only attributes, and for optional ones that are not set. */
export type InState<T, O> = O extends { readonly writeOnly: true }
  ? null
  : O extends { readonly required: true } | { readonly default: unknown } | { readonly computed: true }
    ? T
    : T | null

/** Constructors of attributes: `attribute.string({ required: true })`. */
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
  /** An attribute of any value type. */
  of: <T, const O extends AttributeOptions<T>>(type: ValueType<T>, options: O) => plain<T, O>(type, options),
  /** Nested attributes: a single object, or a list, set or map of objects. */
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
