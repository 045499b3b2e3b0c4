import type { Operation, ValidateOperation } from './operation.ts'
import type {
  DataSourceDefinition,
  EphemeralDefinition,
  FunctionDefinition,
  ListDefinition,
  Parameters,
  ResourceDefinition,
} from './resource.ts'
import type { SchemaSpec } from './schema.ts'
import type { ValueType } from './value-type.ts'
import type { Settled } from './views.ts'

/** A provider: what `serveProvider` serves. */
export interface ProviderDefinition<S extends SchemaSpec = SchemaSpec, C = unknown> {
  /** As in `terraform-provider-<name>`; the names of types begin with it. */
  readonly name: string
  readonly version: string
  /** What its configuration says. */
  readonly schema: S
  /** Makes what all operations get as their `client`. Called once, before anything but validation and functions. */
  configure(operation: Omit<Operation<undefined>, 'client'> & { readonly config: Settled<S> }): C | Promise<C>
  validate?(operation: ValidateOperation<S>): void | Promise<void>
  readonly resources?: Readonly<Record<string, ResourceDefinition<SchemaSpec, C>>>
  readonly dataSources?: Readonly<Record<string, DataSourceDefinition<SchemaSpec, C>>>
  readonly ephemeralResources?: Readonly<Record<string, EphemeralDefinition<SchemaSpec, C>>>
  readonly functions?: Readonly<Record<string, FunctionDefinition>>
  /** Called when the process is about to end. */
  close?(client: C): Promise<void> | void
}

/** Makes a provider. Throws when its names are not right. */
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

/** Makers of resources and data sources that know what `configure` gives: `const { resource } = definitionsFor<Api>()`. */
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

/** Makes a function. */
export function defineFunction<const P extends Parameters, V extends ValueType<unknown>, R>(
  definition: FunctionDefinition<P, V, R>,
): FunctionDefinition {
  return definition as unknown as FunctionDefinition
}
