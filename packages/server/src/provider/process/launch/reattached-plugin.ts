import type { GrpcClient } from '@hykube/tfplugin/grpc'
import { type Plugin, type PluginLog, type ReattachTarget, reattachPlugin } from '@hykube/tfplugin/handshake'

/** Connects to a running provider of TF_REATTACH_PROVIDERS. Stopping it closes the connection only. */
export async function reattachedPlugin(
  target: ReattachTarget,
  options: { readonly onLog: (log: PluginLog) => void; readonly signal?: AbortSignal },
): Promise<Plugin> {
  const grpc = await reattachPlugin(target, options)
  const exited = grpc.closed.then(() => ({ code: null, signal: null }))
  const leave = () => {
    grpc.destroy()
    return exited
  }
  return {
    pid: target.pid,
    protocolVersion: target.protocolVersion,
    grpc,
    exited,
    isHealthy: () => Promise.resolve(isOpen(grpc)),
    stop: leave,
    kill: leave,
  }
}

function isOpen(grpc: GrpcClient): boolean {
  return grpc.over === undefined
}
