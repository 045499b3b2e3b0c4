import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { abortReason, onAbort, systemClock } from '@hykube/machinery/base'
import { type ClientTls, connectGrpc } from '../grpc/index.ts'
import { awaitHandshake } from './await-handshake.ts'
import { certificateToPem, createOneTimeCertificate, type OneTimeCertificate } from './certificate.ts'
import type { Handshake } from './handshake-line.ts'
import { magicCookie, magicCookieName } from './magic-cookie.ts'
import type { Plugin, PluginExit } from './plugin.ts'
import { PluginConnection } from './plugin-connection.ts'
import { type PluginLog, PluginLogReader } from './plugin-log.ts'

export interface StartPluginOptions {
  readonly executable: string
  /** Name in messages, when the executable is a launcher. Default: the executable. */
  readonly named?: string
  /** Parent of the directory for the socket. Default: the directory for temporary files. */
  readonly temporaryDirectory?: string
  /** Owner of that directory: the user that a launcher switches to. Default: the user of this process. */
  readonly socketOwner?: { readonly uid: number; readonly gid: number }
  /** Default: none. */
  readonly args?: readonly string[]
  /** The whole environment of the process; nothing is inherited. The variables of the handshake are added. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Default `mutual`: both sides use certificates created for this connection. */
  readonly tls?: 'mutual' | 'none'
  /** Milliseconds until the plugin must be ready. Default 60,000. */
  readonly timeout?: number
  /** Called for every log entry of the plugin. Default: dropped. */
  readonly onLog?: (log: PluginLog) => void
  /** Maximum size of a received message in bytes. Default 256 MiB. */
  readonly largestMessage?: number
  /** Called with the process id as soon as the process runs, before it is ready. */
  readonly onSpawn?: (pid: number) => void
  /**
   * Starts the process in its own process group, which is killed as a whole when the process exits. Not on Windows.
   * Default false.
   */
  readonly ownGroup?: boolean
  readonly signal?: AbortSignal
}

/** Starts a plugin and completes the handshake. Rejects with the cause, and then leaves no process behind. */
export async function startPlugin(options: StartPluginOptions): Promise<Plugin> {
  const { executable, named = executable, temporaryDirectory = tmpdir(), socketOwner } = options
  const directory = await mkdtemp(join(temporaryDirectory, 'hykube-plugin-'))
  try {
    if (socketOwner !== undefined) await chown(directory, socketOwner.uid, socketOwner.gid)
    const certificate = options.tls === 'none' ? undefined : createOneTimeCertificate()
    const child = await spawnWithRetry(options, environment(options.env, directory, certificate))
    options.onSpawn?.(child.pid!)
    return await meet(child, options, directory, certificate)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw new Error(`cannot start the plugin ${named}: ${(error as Error).message}`, { cause: error })
  }
}

function environment(
  given: Readonly<Record<string, string>>,
  directory: string,
  certificate: OneTimeCertificate | undefined,
): Record<string, string> {
  return {
    // Plugins that ignore the variable below create their socket in the directory for temporary files.
    TMPDIR: directory,
    ...given,
    [magicCookieName]: magicCookie,
    PLUGIN_PROTOCOL_VERSIONS: '5,6',
    PLUGIN_MIN_PORT: '10000',
    PLUGIN_MAX_PORT: '25000',
    PLUGIN_UNIX_SOCKET_DIR: directory,
    ...(certificate !== undefined && { PLUGIN_CLIENT_CERT: certificate.certificatePem }),
  }
}

// A program that was just written cannot be executed while another process has it open for writing (ETXTBSY).
async function spawnWithRetry(options: StartPluginOptions, env: Record<string, string>): Promise<ChildProcess> {
  for (const wait of [50, 100, 200, undefined]) {
    try {
      return await spawned(options, env)
    } catch (error) {
      if (wait === undefined || (error as NodeJS.ErrnoException).code !== 'ETXTBSY') throw error
      await systemClock.sleep(wait, options.signal)
    }
  }
  throw new Error('unreachable')
}

function spawned(
  { executable, args = [], cwd, ownGroup = false }: StartPluginOptions,
  env: Record<string, string>,
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const detached = ownGroup && process.platform !== 'win32'
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(executable, args, { env, stdio: [...stdio], detached, ...(cwd !== undefined && { cwd }) })
    if (detached) child.once('exit', () => killGroup(child.pid!))
    child.once('error', reject)
    child.once('spawn', () => {
      child.off('error', reject)
      child.on('error', () => {})
      resolve(child)
    })
  })
}

async function meet(
  child: ChildProcess,
  options: StartPluginOptions,
  directory: string,
  certificate: OneTimeCertificate | undefined,
): Promise<Plugin> {
  const { onLog = () => {}, timeout = 60_000, signal } = options
  const logs = new PluginLogReader(onLog)
  child.stderr!.on('data', (bytes: Buffer) => logs.push(bytes))
  const exited = exitOf(child, logs)
  const release = onAbort(signal, () => child.kill('SIGKILL'))
  try {
    const started = performance.now()
    const handshake = await awaitHandshake(child, exited, { logs, onLog, timeout })
    const left = Math.max(1, timeout - (performance.now() - started))
    const tls = clientTls(handshake, certificate)
    const grpc = await connectGrpc(handshake.address, {
      timeout: left,
      ...(tls !== undefined && { tls }),
      ...(options.largestMessage !== undefined && { largestMessage: options.largestMessage }),
    })
    void exited.then(() => rm(directory, { recursive: true, force: true }))
    return new PluginConnection(child, handshake.protocolVersion, grpc, exited, onLog)
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    throw signal?.aborted === true ? abortReason(signal) : error
  } finally {
    release()
  }
}

function clientTls(handshake: Handshake, certificate: OneTimeCertificate | undefined): ClientTls | undefined {
  if (certificate === undefined) return undefined
  if (handshake.serverCertificate === undefined)
    throw new Error('it sent no certificate, so it supports only connections without TLS')
  return {
    serverCertificate: certificateToPem(handshake.serverCertificate),
    certificate: certificate.certificatePem,
    key: certificate.keyPem,
  }
}

function exitOf(child: ChildProcess, logs: PluginLogReader): Promise<PluginExit> {
  return new Promise((resolve) => {
    const ended = (code: number | null, signal: string | null) => {
      logs.end()
      const { panic } = logs
      resolve({ code, signal, ...(panic !== undefined && { panic }) })
    }
    child.once('close', ended)
    // Child processes of the plugin may keep its output open, so its own last output gets a short time only.
    child.once('exit', (code, signal) => setTimeout(ended, flushTimeout, code, signal).unref())
  })
}

const flushTimeout = 500

// Kills processes that the plugin left in its group.
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty.
  }
}
