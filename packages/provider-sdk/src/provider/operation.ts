import type { Place } from './misfit.ts'
import type { PrivateData } from './private-data.ts'
import type { SchemaSpec } from './schema.ts'
import type { Config, DraftConfig, Planned, State } from './views.ts'

/** Writes to the log of the host. Never write what is sensitive. */
export interface Logger {
  trace(message: string, fields?: Readonly<Record<string, unknown>>): void
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** What everything that a provider does is given. */
export interface Operation<C> {
  /** What `configure` gave. */
  readonly client: C
  /** Aborts when the host stops the provider or gives up on the call. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** Tells the user something that is no failure. */
  warn(summary: string, more?: { readonly detail?: string; readonly place?: Place }): void
}

/** The same for an object that is or will be kept. */
export interface ObjectOperation<C> extends Operation<C> {
  readonly typeName: string
  /** What is kept beside the state; what is set here is kept with the outcome. */
  readonly private: PrivateData
}

export interface CreateOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  readonly kind: 'create'
  /** The only place where write-only values are. */
  readonly config: Config<S>
  readonly planned: Planned<S>
  /** The same when the host repeats this apply; empty unless the type is `idempotent`. */
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
  /** What was known last; after an import only what the import gave, all else is null. */
  readonly state: State<S>
}

export interface PlanOperation<S extends SchemaSpec, C> extends ObjectOperation<C> {
  readonly config: DraftConfig<S>
  /** Null when the object is created. */
  readonly prior: State<S> | null
  /** What is planned by the schema. */
  readonly planned: Planned<S>
  /** Says that a new object is needed because of this attribute. */
  requiresReplace(place: Place): void
}

export interface ValidateOperation<S extends SchemaSpec> {
  /** Any part may be unknown. */
  readonly config: DraftConfig<S>
  /** Says what is wrong, and where. */
  fail(summary: string, more?: { readonly detail?: string; readonly place?: Place }): void
  warn(summary: string, more?: { readonly detail?: string; readonly place?: Place }): void
}
