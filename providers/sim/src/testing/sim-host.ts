import { fileURLToPath } from 'node:url'
import { proposedNew } from '@hykube/provider-sdk/provider/testing'
import { type Plugin, type PluginLog, startPlugin } from '@hykube/tfplugin/handshake'
import {
  type ApplyResourceChangeResponse,
  createProviderClient,
  type PlanResourceChangeResponse,
  type ProviderClient,
} from '@hykube/tfplugin/protocol'
import { Decimal, emptyObject, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { simProvider } from '../provider.ts'

/** The part of an object that a host stores. */
export interface Kept {
  readonly state: ValueObject
  readonly private: Uint8Array
}

/** A minimal host that starts the provider process and calls it as Terraform does. */
export class SimHost {
  readonly plugin: Plugin
  readonly client: ProviderClient

  private constructor(plugin: Plugin) {
    this.plugin = plugin
    this.client = createProviderClient(plugin.grpc, plugin.protocolVersion)
  }

  static async start(config: object, onLog: (log: PluginLog) => void = () => {}): Promise<SimHost> {
    const executable = fileURLToPath(new URL('../../bin/terraform-provider-sim', import.meta.url))
    const env = { PATH: process.env.PATH ?? '', TF_LOG: 'TRACE' }
    const host = new SimHost(await startPlugin({ executable, env, onLog }))
    const nothing = { world: null, latency_ms: null, failure_rate: null, crash_after: null, seed: null }
    const configured = await host.client.configureProvider({
      terraformVersion: '1.12.0',
      config: toValue({ ...nothing, ...config }),
    })
    if (configured.diagnostics.length > 0) throw new Error(JSON.stringify(configured.diagnostics))
    return host
  }

  config(typeName: string, given: object): ValueObject {
    const { attributes, blocks } = simProvider.resources![typeName]!.schema
    const config = emptyObject()
    const values = toValue(given) as ValueObject
    for (const name of Object.keys(attributes)) config[name] = values[name] ?? null
    for (const [name, block] of Object.entries(blocks)) {
      config[name] = ((values[name] ?? []) as readonly ValueObject[]).map((one) =>
        Object.fromEntries(Object.keys(block.attributes).map((key) => [key, one[key] ?? null])),
      )
    }
    return config
  }

  plan(typeName: string, given: object, before?: Kept): Promise<PlanResourceChangeResponse> {
    return this.client.planResourceChange(this.planRequest(typeName, given, before))
  }

  planRequest(typeName: string, given: object, before?: Kept) {
    const config = this.config(typeName, given)
    const prior = before?.state ?? null
    return {
      typeName,
      priorState: prior,
      config,
      proposedNewState: proposedNew(simProvider.resources![typeName]!.schema, prior, config),
      ...(before !== undefined && { priorPrivate: before.private }),
    }
  }

  applyRequest(typeName: string, given: object, planned: PlanResourceChangeResponse, before?: Kept) {
    return {
      typeName,
      priorState: before?.state ?? null,
      config: this.config(typeName, given),
      plannedState: planned.plannedState!,
      plannedPrivate: planned.plannedPrivate,
    }
  }

  /** Plans and applies; throws when either fails. */
  async apply(typeName: string, given: object, before?: Kept): Promise<Kept> {
    const planned = await this.plan(typeName, given, before)
    return kept(await this.client.applyResourceChange(this.applyRequest(typeName, given, planned, before)))
  }

  async delete(typeName: string, { state, private: bytes }: Kept): Promise<ApplyResourceChangeResponse> {
    const change = { typeName, priorState: state, config: null }
    const planned = await this.client.planResourceChange({ ...change, proposedNewState: null, priorPrivate: bytes })
    return this.client.applyResourceChange({ ...change, plannedState: null, plannedPrivate: planned.plannedPrivate })
  }

  async read(typeName: string, before: Kept): Promise<Value> {
    const request = { typeName, currentState: before.state, private: before.private }
    const { newState, diagnostics } = await this.client.readResource(request)
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
    return newState!
  }
}

/** Returns the state and private data of an apply response; throws when it has diagnostics. */
export function kept({ newState, private: bytes, diagnostics }: ApplyResourceChangeResponse): Kept {
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ summary }) => summary).join(', '))
  return { state: newState as ValueObject, private: bytes }
}

/** Converts a plain JavaScript value to a protocol value. */
export function toValue(given: unknown): Value {
  if (typeof given === 'number') return Decimal.fromNumber(given)!
  if (Array.isArray(given)) return given.map(toValue)
  if (typeof given !== 'object' || given === null) return (given ?? null) as Value
  const object = emptyObject()
  for (const [name, part] of Object.entries(given)) object[name] = toValue(part)
  return object
}
