import type {
  ApplyOperation,
  CreateOperation,
  DeleteOperation,
  ObjectOperation,
  Operation,
  PlanOperation,
  ReadOperation,
  UpdateOperation,
  ValidateOperation,
} from './operation.ts'
import type { SchemaSpec } from './schema.ts'
import type { Infer, ValueType } from './value-type.ts'
import type { Planned, Settled, State } from './views.ts'

/**
 * A resource type. Its functions may be called for many objects at once. What they throw becomes a diagnostic; see
 * ProviderFailure for saying more.
 */
export interface ResourceDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  readonly schema: S
  /** `create` given the same token twice gives the same object, `update` and `delete` may be repeated. Default false. */
  readonly idempotent?: boolean
  create(operation: CreateOperation<S, C>): Promise<State<S>>
  /** The object as it is now; null when it is gone. */
  read(operation: ReadOperation<S, C>): Promise<State<S> | null>
  /** Without it every change needs a new object. */
  update?(operation: UpdateOperation<S, C>): Promise<State<S>>
  /** Succeeds when the object is gone already. */
  delete(operation: DeleteOperation<S, C>): Promise<void>
  /** Says more about a configuration than the schema does. */
  validate?(operation: ValidateOperation<S>): void | Promise<void>
  /** Changes what the schema plans for a create or update. Must follow from what it is given and from what is outside. */
  modifyPlan?(operation: PlanOperation<S, C>): Planned<S> | Promise<Planned<S>>
  /** What `read` needs to find the object that a person names; by default the name is the attribute `id`. */
  importState?(operation: ObjectOperation<C> & { readonly id: string }): Promise<Partial<State<S>>>
  /** For each earlier version of the schema, what makes the JSON of a state into that of the next version. */
  readonly upgrade?: Readonly<Record<number, (state: Record<string, unknown>) => Record<string, unknown>>>
  /** How objects are told apart outside. */
  readonly identity?: IdentityDefinition<S>
  /** Finds what exists; needs an identity. */
  readonly list?: ListDefinition<S, C>
  /** Reads many at once, where that is quicker. Outcomes in the order of the operations; an Error for one that failed. */
  readMany?(operations: readonly ReadOperation<S, C>[]): Promise<readonly (State<S> | null | Error)[]>
  /** Likewise for changes; null for a deletion. */
  applyMany?(operations: readonly ApplyOperation<S, C>[]): Promise<readonly (State<S> | null | Error)[]>
}

export interface IdentityDefinition<S extends SchemaSpec = SchemaSpec> {
  /** Default 0. */
  readonly version?: number
  readonly attributes: Readonly<Record<string, IdentityAttributeSpec>>
  of(state: State<S>): Readonly<Record<string, unknown>>
}

export interface IdentityAttributeSpec {
  readonly type: ValueType<unknown>
  /** Whether an import must or may give it. */
  readonly forImport: 'required' | 'optional'
  readonly description?: string
}

/** Objects of a type that exist. */
export interface ListDefinition<S extends SchemaSpec = SchemaSpec, C = unknown, L extends SchemaSpec = SchemaSpec> {
  /** What a query may say. */
  readonly schema: L
  list(
    operation: Operation<C> & {
      readonly config: Settled<L>
      /** Whether states are wanted. */
      readonly includeState: boolean
      /** 0: all. */
      readonly limit: number
    },
  ): AsyncIterable<{ readonly displayName: string; readonly state: State<S> }>
}

/** What is looked up and not managed. */
export interface DataSourceDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  readonly schema: S
  read(operation: Operation<C> & { readonly config: Settled<S> }): Promise<State<S>>
  validate?(operation: ValidateOperation<S>): void | Promise<void>
}

/** What exists for the length of a run and is never kept: tokens, connections. */
export interface EphemeralDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  readonly schema: S
  open(operation: ObjectOperation<C> & { readonly config: Settled<S> }): Promise<EphemeralResult<S>>
  /** Prolongs it; gives the time of the next renewal, if there is to be one. */
  renew?(operation: ObjectOperation<C>): Promise<Date | undefined>
  close?(operation: ObjectOperation<C>): Promise<void>
  validate?(operation: ValidateOperation<S>): void | Promise<void>
}

export interface EphemeralResult<S extends SchemaSpec> {
  readonly result: State<S>
  readonly renewAt?: Date
}

/** A pure function that configurations can call. */
export interface FunctionDefinition<
  P extends Parameters = Parameters,
  V extends ValueType<unknown> = ValueType<unknown>,
  R = unknown,
> {
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: string
  readonly parameters: P
  /** Takes all further arguments. */
  readonly variadic?: { readonly name: string; readonly type: V; readonly description?: string }
  readonly returns: ValueType<R>
  /** Gets the arguments by the names of the parameters, and further ones as a list. */
  call(
    args: { readonly [K in keyof P]: Infer<P[K]['type']> | (P[K]['nullable'] extends true ? null : never) },
    rest: readonly Infer<V>[],
  ): R | Promise<R>
}

export type Parameters = Readonly<
  Record<string, { readonly type: ValueType<unknown>; readonly nullable?: boolean; readonly description?: string }>
>
