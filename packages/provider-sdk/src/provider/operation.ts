import type { PrivateData } from './private-data.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { Place } from './schema/type-mismatch.ts'
import type { Config, DraftConfig, Planned, State } from './views.ts'

/** Writes to the log of the host. Never log sensitive values. */
export interface Logger {
  trace(message: string, fields?: Readonly<Record<string, unknown>>): void
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** The context that all functions of a provider receive. */
export interface Operation<C> {
  /** The result of `configure`. */
  readonly client: C
  /** Aborts when the host stops the provider or cancels the call. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** Adds a warning for the user to the response. */
  warn(summary: string, more?: { readonly detail?: string; readonly place?: Place }): void
}

/** The context of functions for a managed object. */
export interface ObjectOperation<C> extends Operation<C> {
  readonly typeName: string
  /** Private data stored next to the state; changes made here are stored with the outcome. */
  readonly private: PrivateData
}

export interface CreateOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  readonly kind: 'create'
  /** The only source of write-only values. */
  readonly config: Config<S>
  readonly planned: Planned<S>
  /** An idempotency token: the same when the host retries this apply. Empty unless the type is `idempotent`. */
  readonly token: string
}

export interface UpdateOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  readonly kind: 'update'
  readonly config: Config<S>
  readonly planned: Planned<S>
  readonly prior: State<S>
  readonly token: string
}

export interface DeleteOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  readonly kind: 'delete'
  readonly prior: State<S>
  readonly token: string
}

export type ApplyOperation<S extends SchemaSpec, C> =
  | CreateOperation<S, C>
  | UpdateOperation<S, C>
  | DeleteOperation<S, C>

export interface ReadOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  /** The last known state; after an import only the attributes that the import set, all others are null. */
  readonly state: State<S>
}

export interface PlanOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  readonly config: DraftConfig<S>
  /** Null when the object is created. */
  readonly prior: State<S> | null
  /** The plan by the schema. */
  readonly planned: Planned<S>
  /** Marks an attribute whose change replaces the object. */
  requiresReplace(place: Place): void
}

export interface ValidateOperation<S extends SchemaSpec> {
  /** The configuration, any part of which may be unknown. */
  readonly config: DraftConfig<S>
  /** Adds an error to the response. */
  fail(summary: string, more?: { readonly detail?: string; readonly place?: Place }): void
  warn(summary: string, more?: { readonly detail?: string; readonly place?: Place }): void
}
