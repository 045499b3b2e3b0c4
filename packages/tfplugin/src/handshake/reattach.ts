import { connectGrpc, type GrpcAddress, type GrpcClient } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'
import { parseAddress } from './handshake-line.ts'
import { drainStdio } from './plugin-connection.ts'
import type { PluginLog } from './plugin-log.ts'

/** A provider that another program started, such as a debugger; the host must not stop it. */
export interface ReattachTarget {
  readonly protocolVersion: ProtocolVersion
  readonly address: GrpcAddress
  readonly pid: number
  /** True when the provider must keep running when its host exits. */
  readonly test: boolean
}

/**
 * Parses the providers in the variable by full address. Throws an error that names the variable when it is malformed.
 */
export function parseReattachProviders(text: string): ReadonlyMap<string, ReattachTarget> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new Error(`cannot read TF_REATTACH_PROVIDERS: it is not JSON`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('cannot read TF_REATTACH_PROVIDERS: it is not an object of providers')
  return new Map(Object.entries(parsed).map(([provider, entry]) => [provider, targetFrom(provider, entry)]))
}

/** Formats the variable for these providers. */
export function reattachProvidersToText(targets: ReadonlyMap<string, ReattachTarget>): string {
  const entries = [...targets].map(([provider, { protocolVersion, address, pid, test }]) => [
    provider,
    {
      Protocol: 'grpc',
      ProtocolVersion: protocolVersion,
      Pid: pid,
      Test: test,
      Addr:
        address.kind === 'unix'
          ? { Network: 'unix', String: address.path }
          : { Network: 'tcp', String: `${address.host}:${address.port}` },
    },
  ])
  return JSON.stringify(Object.fromEntries(entries))
}

/** Connects to such a provider without TLS. */
export async function reattachPlugin(
  target: ReattachTarget,
  options: { readonly onLog?: (log: PluginLog) => void; readonly signal?: AbortSignal } = {},
): Promise<GrpcClient> {
  const { onLog = () => {}, signal } = options
  const grpc = await connectGrpc(target.address, signal === undefined ? {} : { signal })
  void drainStdio(grpc, onLog)
  return grpc
}

interface Entry {
  readonly Protocol?: unknown
  readonly ProtocolVersion?: unknown
  readonly Pid?: unknown
  readonly Test?: unknown
  readonly Addr?: { readonly Network?: unknown; readonly String?: unknown }
}

function targetFrom(provider: string, raw: unknown): ReattachTarget {
  const entry = (raw ?? {}) as Entry
  const refuse = (what: string): never => {
    throw new Error(`cannot read TF_REATTACH_PROVIDERS for ${provider}: ${what}`)
  }
  if (entry.Protocol !== 'grpc') refuse('its Protocol must be grpc')
  // Absent or 0: written before there were several protocols.
  const version = entry.ProtocolVersion === undefined || entry.ProtocolVersion === 0 ? 5 : entry.ProtocolVersion
  if (version !== 5 && version !== 6) return refuse('its ProtocolVersion must be 5 or 6')
  const { Network: network, String: text } = entry.Addr ?? {}
  if (typeof network !== 'string' || typeof text !== 'string') return refuse('it has no Addr')
  return {
    protocolVersion: version,
    address: parseAddress(network, text),
    pid: typeof entry.Pid === 'number' ? entry.Pid : 0,
    test: entry.Test === true,
  }
}
