import type { ChildProcess } from 'node:child_process'
import type { GrpcClient } from '../grpc/index.ts'
import type { ProtocolVersion } from '../protocol/index.ts'
import { exitText, type Plugin, type PluginExit } from './plugin.ts'
import type { PluginLog } from './plugin-log.ts'
import { PluginLogReader } from './plugin-log.ts'
import { healthRequest, isServing, pluginMethods, stdioFromBytes } from './plugin-services.ts'

/** Connection of the host to a plugin that is ready. */
export class PluginConnection implements Plugin {
  readonly #child: ChildProcess
  readonly protocolVersion: ProtocolVersion
  readonly grpc: GrpcClient
  readonly exited: Promise<PluginExit>

  constructor(
    child: ChildProcess,
    protocolVersion: ProtocolVersion,
    grpc: GrpcClient,
    exited: Promise<PluginExit>,
    onLog: (log: PluginLog) => void,
  ) {
    this.#child = child
    this.protocolVersion = protocolVersion
    this.grpc = grpc
    this.exited = exited
    void exited.then((exit) => grpc.destroy(new Error(`the plugin process ended with ${exitText(exit)}`)))
    void drainStdio(grpc, onLog)
  }

  get pid(): number {
    return this.#child.pid!
  }

  async isHealthy({ timeout = 2000 }: { readonly timeout?: number } = {}): Promise<boolean> {
    try {
      return isServing(await this.grpc.unary(pluginMethods.healthCheck, healthRequest, { timeout }))
    } catch {
      return false
    }
  }

  async stop({ grace = 2000 }: { readonly grace?: number } = {}): Promise<PluginExit> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), grace)
    // The plugin may exit before it responds.
    this.grpc.unary(pluginMethods.shutdown, new Uint8Array(0), { timeout: grace }).catch(() => {})
    const exit = await this.exited
    clearTimeout(timer)
    return exit
  }

  kill(): Promise<PluginExit> {
    this.#child.kill('SIGKILL')
    return this.exited
  }
}

/** Reads the output of a plugin after the handshake: without a reader the plugin would block. */
export async function drainStdio(grpc: GrpcClient, onLog: (log: PluginLog) => void): Promise<void> {
  const stderr = new PluginLogReader(onLog)
  try {
    for await (const message of grpc.serverStream(pluginMethods.streamStdio, new Uint8Array(0))) {
      const { channel, data } = stdioFromBytes(message)
      if (channel === 'stderr') stderr.push(data)
      else onLog({ level: 'debug', message: new TextDecoder().decode(data).trimEnd() })
    }
  } catch {
    // Old plugins lack this service; a plugin that exited has no more output.
  }
  stderr.end()
}
