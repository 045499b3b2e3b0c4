import type {
  Diagnosed,
  ExtensionsService,
  ListResourceEvent,
  ListResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  ProviderDiagnostic,
  ProviderService,
  ReadDataSourceRequest,
  ReadDataSourceResponse,
  ValidateConfigRequest,
} from '@hykube/tfplugin/protocol'
import { identityType } from '@hykube/tfplugin/schema'
import { isObject, isWhollyKnown, type Value, type ValueObject, valueFromJson } from '@hykube/tfplugin/value'
import { applyChange } from './apply-change.ts'
import { applyAll, byType, readAll } from './batch.ts'
import { callFunction } from './call-function.ts'
import { readContent } from './content-values.ts'
import type { ProviderDefinition } from './define.ts'
import { diagnosticOf, ProviderFailure } from './failure.ts'
import { identityOf, identityToWire } from './identity.ts'
import { importObject } from './import-object.ts'
import type { Logger, ValidateOperation } from './operation.ts'
import { planChange } from './plan-change.ts'
import { withDefaults } from './plan-rules.ts'
import { readObject } from './read-object.ts'
import type { ResourceDefinition } from './resource.ts'
import { writeState } from './result-state.ts'
import { identitySchemas, providerSchema } from './schema/provider-schema.ts'
import type { SchemaSpec } from './schema/schema.ts'
import { Call, type Session } from './session.ts'
import { upgradeState } from './upgrade-state.ts'
import { validateConfig } from './validate-config.ts'
import type { Settled } from './views.ts'

/** Implements the provider protocol for a definition: configured once, then called concurrently. */
export class RunningProvider {
  readonly #definition: ProviderDefinition
  /** Aborted by StopProvider: cancels all calls in progress. */
  readonly #stop = new AbortController()
  readonly #session: Session
  /** Wrapped, because `configure` may return undefined. Set by a successful ConfigureProvider. */
  #client: { readonly value: unknown } | undefined

  constructor(definition: ProviderDefinition, log: Logger) {
    this.#definition = definition
    this.#session = { log, client: () => this.#configured() }
  }

  /** Returns the handlers of Terraform's protocol. */
  service(): ProviderService {
    const { functions = {} } = this.#definition
    const schema = providerSchema(this.#definition)
    return {
      getMetadata: async () => ({
        serverCapabilities: schema.serverCapabilities,
        resources: [...schema.resources.keys()],
        dataSources: [...schema.dataSources.keys()],
        functions: [...schema.functions.keys()],
        ephemeralResources: [...schema.ephemeralResources.keys()],
        listResources: [...schema.listResources.keys()],
        actions: [],
        diagnostics: [],
      }),
      getFunctions: async () => ({ functions: schema.functions, diagnostics: [] }),
      validateProviderConfig: ({ config }) => this.#validate(this.#definition, config),
      configureProvider: ({ config }, { signal }) => this.#configure(config, signal),
      stopProvider: async () => {
        this.#stop.abort(new Error('the host stops the provider'))
        return { error: '' }
      },
      validateResourceConfig: (request) => this.#validateResource(request),
      validateDataResourceConfig: ({ typeName, config }) => this.#validate(this.#dataSource(typeName), config),
      validateEphemeralResourceConfig: ({ typeName, config }) => this.#validate(this.#ephemeral(typeName), config),
      validateListResourceConfig: ({ typeName, config }) => this.#validate(this.#list(typeName), config),
      upgradeResourceState: async (request, { signal }) =>
        upgradeState(this.#resource(request.typeName), request, this.#call(signal)),
      upgradeResourceIdentity: async ({ typeName, rawIdentity }) => {
        const { identity } = this.#resource(typeName)
        if (identity === undefined || rawIdentity.kind !== 'json') return { diagnostics: [] }
        return {
          upgradedIdentity: valueFromJson(rawIdentity.json, identityType(identityToWire(identity))),
          diagnostics: [],
        }
      },
      readResource: (request, { signal }) => readObject(this.#resource(request.typeName), request, this.#call(signal)),
      planResourceChange: (request, { signal }) =>
        planChange(this.#resource(request.typeName), request, this.#call(signal)),
      // An apply runs to its end even if the host cancels the call, so that no created object is lost.
      applyResourceChange: (request) => applyChange(this.#resource(request.typeName), request, this.#call()),
      importResourceState: (request, { signal }) =>
        importObject(this.#resource(request.typeName), request, this.#call(signal)),
      readDataSource: (request, { signal }) => this.#readDataSource(request, this.#call(signal)),
      openEphemeralResource: (request, { signal }) => this.#open(request, this.#call(signal)),
      renewEphemeralResource: async ({ typeName, private: bytes }, { signal }) => {
        const definition = this.#ephemeral(typeName)
        const call = this.#call(signal)
        try {
          const operation = call.objectOperation(typeName, definition.schema, bytes)
          const renewAt = await definition.renew?.(operation)
          const kept = { private: operation.private.toBytes(), diagnostics: call.diagnostics }
          return { ...kept, ...(renewAt !== undefined && { renewAt: renewAt.getTime() }) }
        } catch (error) {
          return { diagnostics: [...call.diagnostics, diagnosticOf(error, `Cannot renew ${typeName}`)] }
        }
      },
      closeEphemeralResource: async ({ typeName, private: bytes }, { signal }) => {
        const definition = this.#ephemeral(typeName)
        const call = this.#call(signal)
        try {
          await definition.close?.(call.objectOperation(typeName, definition.schema, bytes))
        } catch (error) {
          call.diagnostics.push(diagnosticOf(error, `Cannot close ${typeName}`))
        }
        return { diagnostics: call.diagnostics }
      },
      callFunction: (request) => callFunction(named(functions, request.name, 'function'), request),
      listResource: (request, { signal }) => this.#listObjects(request, this.#call(signal)),
    }
  }

  /** Returns the handlers of Hykube's batch extensions. */
  extensions(): ExtensionsService {
    return {
      readMany: (requests, { signal }) => {
        const newCall = this.#calls(signal)
        return byType(requests, (type, group) => readAll(this.#resource(type), group, newCall))
      },
      planMany: (requests, { signal }) => {
        const newCall = this.#calls(signal)
        return Promise.all(requests.map((request) => planChange(this.#resource(request.typeName), request, newCall())))
      },
      applyMany: (requests) => {
        const newCall = this.#calls()
        return byType(requests, (type, group) => applyAll(this.#resource(type), group, newCall))
      },
      validateMany: (requests) => Promise.all(requests.map((request) => this.#validateResource(request))),
    }
  }

  /** The schemas of the provider and of its identities. */
  get schemas(): {
    readonly schema: ReturnType<typeof providerSchema>
    readonly identitySchemas: ReturnType<typeof identitySchemas>
  } {
    return { schema: providerSchema(this.#definition), identitySchemas: identitySchemas(this.#definition) }
  }

  /** Releases the client that `configure` created. */
  async close(): Promise<void> {
    if (this.#client !== undefined) await this.#definition.close?.(this.#client.value)
  }

  #validateResource({ typeName, config, clientCapabilities }: ValidateConfigRequest): Promise<Diagnosed> {
    return this.#validate(this.#resource(typeName), config, clientCapabilities?.writeOnlyAttributesAllowed === true)
  }

  #call(signal?: AbortSignal): Call {
    return this.#calls(signal)()
  }

  /** Returns a factory for the calls of one host request; they share one abort signal. */
  #calls(signal: AbortSignal = neverAborts): () => Call {
    const either = AbortSignal.any([this.#stop.signal, signal])
    return () => new Call(this.#session, either)
  }

  #configured(): unknown {
    if (this.#client === undefined)
      throw new ProviderFailure('Provider not configured', {
        detail: 'The host called the provider before it sent a fully known configuration.',
      })
    return this.#client.value
  }

  async #configure(config: Value, signal: AbortSignal): Promise<{ diagnostics: ProviderDiagnostic[] }> {
    const { schema } = this.#definition
    const call = this.#call(signal)
    try {
      if (!isObject(config)) throw new ProviderFailure('Provider configuration missing')
      if (!isWhollyKnown(config)) {
        // Without a client only validation and functions work; the host configures again when all values are known.
        call.addDiagnostic('warning', schema, 'Provider configuration not known yet', {
          detail:
            'It depends on values that are known only after apply. Resources of this provider can be planned after that.',
        })
        return { diagnostics: call.diagnostics }
      }
      const read = readContent(schema, withDefaults(schema, config)) as Settled<SchemaSpec>
      this.#client = { value: await this.#definition.configure({ ...call.unconfigured(schema), config: read }) }
    } catch (error) {
      call.diagnostics.push(diagnosticOf(error, `Cannot configure the provider ${this.#definition.name}`, schema))
    }
    return { diagnostics: call.diagnostics }
  }

  async #validate(
    definition: {
      readonly schema: SchemaSpec
      validate?(operation: ValidateOperation<SchemaSpec>): void | Promise<void>
    },
    config: Value,
    writeOnlyAllowed = true,
  ): Promise<{ diagnostics: ProviderDiagnostic[] }> {
    const validate = definition.validate?.bind(definition)
    return { diagnostics: await validateConfig(definition.schema, config, { validate, writeOnlyAllowed }) }
  }

  async #readDataSource({ typeName, config }: ReadDataSourceRequest, call: Call): Promise<ReadDataSourceResponse> {
    const definition = this.#dataSource(typeName)
    const { schema } = definition
    try {
      const read = readContent(schema, withDefaults(schema, config as ValueObject)) as Settled<SchemaSpec>
      const state = writeState(schema, await definition.read({ ...call.operation(schema), config: read }))
      return { state, diagnostics: call.diagnostics }
    } catch (error) {
      return { diagnostics: [...call.diagnostics, diagnosticOf(error, `Cannot read ${typeName}`, schema)] }
    }
  }

  async #open({ typeName, config }: OpenEphemeralResourceRequest, call: Call): Promise<OpenEphemeralResourceResponse> {
    const definition = this.#ephemeral(typeName)
    const { schema } = definition
    try {
      const operation = call.objectOperation(typeName, schema, undefined)
      const read = readContent(schema, withDefaults(schema, config as ValueObject)) as Settled<SchemaSpec>
      const { result, renewAt } = await definition.open({ ...operation, config: read })
      return {
        result: writeState(schema, result),
        ...(renewAt !== undefined && { renewAt: renewAt.getTime() }),
        private: operation.private.toBytes(),
        diagnostics: call.diagnostics,
      }
    } catch (error) {
      return { diagnostics: [...call.diagnostics, diagnosticOf(error, `Cannot open ${typeName}`, schema)] }
    }
  }

  // Warnings are sent with the next object; an error ends the list with an event that has no object.
  async *#listObjects(
    { typeName, config, includeResourceObject: includeState, limit }: ListResourceRequest,
    call: Call,
  ): AsyncGenerator<ListResourceEvent> {
    const definition = this.#resource(typeName)
    const { schema, list } = definition
    const listSchema = this.#list(typeName).schema
    try {
      const read = readContent(listSchema, withDefaults(listSchema, config as ValueObject)) as Settled<SchemaSpec>
      const found = list!.list({ ...call.operation(listSchema), config: read, includeState, limit })
      let count = 0
      for await (const { displayName, state } of found) {
        const resourceObject = writeState(schema, state)
        const { newIdentity: identity } = identityOf(definition, resourceObject)
        yield {
          displayName,
          diagnostics: call.diagnostics.splice(0),
          ...(identity !== undefined && { identity }),
          ...(includeState && { resourceObject }),
        }
        if (++count === limit) return
      }
    } catch (error) {
      yield { displayName: '', diagnostics: [...call.diagnostics, diagnosticOf(error, `Cannot list ${typeName}`)] }
    }
  }

  #resource(name: string): ResourceDefinition {
    return named(this.#definition.resources ?? {}, name, 'resource type')
  }

  #dataSource(name: string) {
    return named(this.#definition.dataSources ?? {}, name, 'data source')
  }

  #ephemeral(name: string) {
    return named(this.#definition.ephemeralResources ?? {}, name, 'ephemeral resource')
  }

  #list(name: string): { readonly schema: SchemaSpec } {
    const { list } = this.#resource(name)
    if (list === undefined) throw new Error(`resource type ${name} does not support listing`)
    return { schema: list.schema }
  }
}

const neverAborts = new AbortController().signal

function named<T>(definitions: Readonly<Record<string, T>>, name: string, what: string): T {
  if (!Object.hasOwn(definitions, name)) throw new Error(`the provider has no ${what} ${name}`)
  return definitions[name]!
}
