import type { GrpcClient } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'

/** End of a plugin process. */
export interface PluginExit {
  readonly code: number | null
  readonly signal: string | null
  /** Output of a panic. */
  readonly panic?: string
}

/** A plugin process that is ready for calls. */
export interface Plugin {
  readonly pid: number
  readonly protocolVersion: ProtocolVersion
  readonly grpc: GrpcClient
  /** Resolves when the process has exited. */
  readonly exited: Promise<PluginExit>
  /** Returns true when the plugin responds to a health check with SERVING. */
  isHealthy(options?: { readonly timeout?: number }): Promise<boolean>
  /** Asks it to exit, and kills it after a timeout (default 2,000 ms). Resolves when it has exited. */
  stop(options?: { readonly grace?: number }): Promise<PluginExit>
  /** Kills it. */
  kill(): Promise<PluginExit>
}

/** Describes the end of a process for messages. */
export function exitText({ code, signal }: PluginExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`
}
