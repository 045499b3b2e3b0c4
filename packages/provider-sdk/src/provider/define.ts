import type { Operation, ValidateOperation } from './operation.ts'
import type {
  DataSourceDefinition,
  EphemeralDefinition,
  FunctionDefinition,
  ListDefinition,
  Parameters,
  ResourceDefinition,
} from './resource.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { ValueType } from './schema/value-type.ts'
import type { Settled } from './views.ts'

/** The definition of a provider, as passed to `serveProvider`. */
export interface ProviderDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  /** The name in `terraform-provider-<name>`; type names start with it. */
  readonly name: string
  readonly version: string
  /** The schema of the provider configuration. */
  readonly schema: S
  /** Creates the `client` of all operations. Called once, before all calls except validation and functions. */
  configure(operation: Omit<Operation<undefined>, 'client'> & { readonly config: Settled<S> }): C | Promise<C>
  validate?(operation: ValidateOperation<S>): void | Promise<void>
  readonly resources?: Readonly<Record<string, ResourceDefinition<SchemaSpec, C>>>
  readonly dataSources?: Readonly<Record<string, DataSourceDefinition<SchemaSpec, C>>>
  readonly ephemeralResources?: Readonly<Record<string, EphemeralDefinition<SchemaSpec, C>>>
  readonly functions?: Readonly<Record<string, FunctionDefinition>>
  /** Called before the process exits. */
  close?(client: C): Promise<void> | void
}

/** Creates a provider. Throws when a type name does not start with the provider's name. */
export function defineProvider<S extends SchemaSpec, C>(definition: ProviderDefinition<S, C>): ProviderDefinition {
  const types = [definition.resources, definition.dataSources, definition.ephemeralResources].flatMap((of) =>
    Object.keys(of ?? {}),
  )
  const other = types.find((type) => type !== definition.name && !type.startsWith(`${definition.name}_`))
  if (other !== undefined)
    throw new Error(
      `cannot define the provider ${definition.name}: its type ${other} must begin with ${definition.name}_`,
    )
  return definition as unknown as ProviderDefinition
}

/** Returns constructors with the client type of `configure` fixed: `const { resource } = definitionsFor<Api>()`. */
export function definitionsFor<C>(): Definitions<C> {
  const same = (definition: unknown) => definition as never
  return { resource: same, dataSource: same, ephemeral: same, list: (_, definition) => same(definition) }
}

export interface Definitions<C> {
  resource<S extends SchemaSpec>(definition: ResourceDefinition<S, C>): ResourceDefinition<S, C>
  dataSource<S extends SchemaSpec>(definition: DataSourceDefinition<S, C>): DataSourceDefinition<S, C>
  ephemeral<S extends SchemaSpec>(definition: EphemeralDefinition<S, C>): EphemeralDefinition<S, C>
  list<S extends SchemaSpec, L extends SchemaSpec>(of: S, definition: ListDefinition<S, C, L>): ListDefinition<S, C>
}

/** Creates a provider function; infers the types of its arguments. */
export function defineFunction<const P extends Parameters, V extends ValueType<unknown>, R>(
  definition: FunctionDefinition<P, V, R>,
): FunctionDefinition {
  return definition as unknown as FunctionDefinition
}
