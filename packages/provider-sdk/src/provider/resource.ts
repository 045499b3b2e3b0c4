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
import type { SchemaSpec } from './schema/schema.ts'
import type { Infer, ValueType } from './schema/value-type.ts'
import type { Planned, Settled, State } from './views.ts'

/**
 * A resource type. Its functions may be called concurrently for many objects. An error that they throw becomes a
 * diagnostic; throw ProviderFailure to add details, a path or a partial state.
 */
export interface ResourceDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  readonly schema: S
  /** `create` with the same token returns the same object, and `update` and `delete` can be repeated. Default false. */
  readonly idempotent?: boolean
  create(operation: CreateOperation<S, C>): Promise<State<S>>
  /** Returns the current state of the remote object; null when it does not exist. */
  read(operation: ReadOperation<S, C>): Promise<State<S> | null>
  /** Without it every change replaces the object. */
  update?(operation: UpdateOperation<S, C>): Promise<State<S>>
  /** Must succeed when the object does not exist any more. */
  delete(operation: DeleteOperation<S, C>): Promise<void>
  /** Checks a configuration beyond the schema. */
  validate?(operation: ValidateOperation<S>): void | Promise<void>
  /** Modifies the schema's plan of a create or update. It may depend only on its argument and on the remote API. */
  modifyPlan?(operation: PlanOperation<S, C>): Planned<S> | Promise<Planned<S>>
  /** Returns the attributes that `read` needs to find the object with an import id. Default: the id as attribute `id`. */
  importState?(operation: ObjectOperation<C> & { readonly id: string }): Promise<Partial<State<S>>>
  /** By schema version: converts the JSON of a state of that version to the next version. */
  readonly upgrade?: Readonly<Record<number, (state: Record<string, unknown>) => Record<string, unknown>>>
  /** The attributes that identify the remote object. */
  readonly identity?: IdentityDefinition<S>
  /** Lists existing remote objects; requires an identity. */
  readonly list?: ListDefinition<S, C>
  /** Reads many objects in one call. Returns outcomes in the order of the operations; an Error for a failed one. */
  readMany?(operations: readonly ReadOperation<S, C>[]): Promise<readonly (State<S> | null | Error)[]>
  /** Applies many changes in one call, like `readMany`; null is the outcome of a deletion. */
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
  /** Required or optional in an import by identity. */
  readonly forImport: 'required' | 'optional'
  readonly description?: string
}

/** Lists the existing remote objects of a type. */
export interface ListDefinition<S extends SchemaSpec = SchemaSpec, C = unknown, L extends SchemaSpec = SchemaSpec> {
  /** The schema of the query. */
  readonly schema: L
  list(
    operation: Operation<C> & {
      readonly config: Settled<L>
      /** The host uses the states; otherwise only their identities. */
      readonly includeState: boolean
      /** The largest number of results; 0 means unlimited. */
      readonly limit: number
    },
  ): AsyncIterable<{ readonly displayName: string; readonly state: State<S> }>
}

/** A data source: an object that is read but not managed. */
export interface DataSourceDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  readonly schema: S
  read(operation: Operation<C> & { readonly config: Settled<S> }): Promise<State<S>>
  validate?(operation: ValidateOperation<S>): void | Promise<void>
}

/** An ephemeral resource, such as a token: it exists during a run and is never stored. */
export interface EphemeralDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  readonly schema: S
  open(operation: ObjectOperation<C> & { readonly config: Settled<S> }): Promise<EphemeralResult<S>>
  /** Extends its lifetime. Returns the time of the next renewal, if one is needed. */
  renew?(operation: ObjectOperation<C>): Promise<Date | undefined>
  close?(operation: ObjectOperation<C>): Promise<void>
  validate?(operation: ValidateOperation<S>): void | Promise<void>
}

export interface EphemeralResult<S extends SchemaSpec> {
  readonly result: State<S>
  readonly renewAt?: Date
}

/** A pure function for use in configurations. */
export interface FunctionDefinition<
  P extends Parameters = Parameters,
  V extends ValueType<unknown> = ValueType<unknown>,
  R = unknown,
> {
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: string
  readonly parameters: P
  /** The parameter for all further arguments. */
  readonly variadic?: { readonly name: string; readonly type: V; readonly description?: string }
  readonly returns: ValueType<R>
  /** Receives the arguments by parameter name, and the variadic ones as a list. */
  call(
    args: { readonly [K in keyof P]: Infer<P[K]['type']> | (P[K]['nullable'] extends true ? null : never) },
    rest: readonly Infer<V>[],
  ): R | Promise<R>
}

export type Parameters = Readonly<
  Record<string, { readonly type: ValueType<unknown>; readonly nullable?: boolean; readonly description?: string }>
>
