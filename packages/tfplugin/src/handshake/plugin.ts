import type { GrpcClient } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'

/** How a plugin process ended. */
export interface PluginExit {
  readonly code: number | null
  readonly signal: string | null
  /** What it said when it panicked. */
  readonly panic?: string
}

/** A plugin process that is ready for calls. */
export interface Plugin {
  readonly pid: number
  readonly protocolVersion: ProtocolVersion
  readonly grpc: GrpcClient
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<PluginExit>
  /** Whether it answers and says that it serves. */
  isHealthy(options?: { readonly timeout?: number }): Promise<boolean>
  /** Asks it to end, and ends it after a while (default 2,000 ms) if it does not. Resolves when it has ended. */
  stop(options?: { readonly grace?: number }): Promise<PluginExit>
  /** Ends it now. */
  kill(): Promise<PluginExit>
}

/** How a process ended, in words. */
export function exitText({ code, signal }: PluginExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`
}
