import {
  NotStartedByHostError,
  reattachProvidersToText,
  type ServedPlugin,
  servePlugin,
} from '@hykube/tfplugin/handshake'
import { extensionHandlers, providerHandlers } from '@hykube/tfplugin/protocol'
import { extensionsOf, type ProviderDefinition, RunningProvider } from '../provider/index.ts'
import { jsonLog, logLevelFrom } from './log.ts'

/** The environment of a provider process; everything defaults to this process. Tests replace it. */
export interface ServeOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly args?: readonly string[]
  readonly writeOut?: (text: string) => void
  readonly writeErr?: (text: string) => void
  readonly now?: () => number
  /** Called with the exit code at the end. Default: process.exit. */
  readonly exit?: (code: number) => void
  /** The provider source address in TF_REATTACH_PROVIDERS. Default `registry.terraform.io/local/<name>`. */
  readonly address?: string
}

/**
 * Serves a provider in this process until its host shuts it down or SIGTERM arrives. With the argument `--debug` it runs
 * without a host and prints the TF_REATTACH_PROVIDERS that a host needs to connect to it.
 */
export async function serveProvider(definition: ProviderDefinition, options: ServeOptions = {}): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the process of a provider is composed here
  const { env = process.env, args = process.argv.slice(2), now = Date.now } = options
  const { writeOut = (text) => process.stdout.write(text), writeErr = (text) => process.stderr.write(text) } = options
  const exit = options.exit ?? ((code) => process.exit(code))
  const level = logLevelFrom(env, definition.name)
  const log = jsonLog({ level, module: `provider.${definition.name}`, write: writeErr, now })
  const running = new RunningProvider(definition, log)
  const debug = args.includes('--debug')
  let served: ServedPlugin
  try {
    served = await servePlugin({
      protocols: new Map([[6, handlersOf(definition, running)]]),
      env,
      write: writeOut,
      debug,
      network: process.platform === 'win32' ? 'tcp' : 'unix',
    })
  } catch (error) {
    if (!(error instanceof NotStartedByHostError)) throw error
    writeErr(`${error.message}\n`)
    return exit(1)
  }
  if (debug) writeOut(debugText(options.address ?? `registry.terraform.io/local/${definition.name}`, served))
  const release = onSignals(() => void served.close())
  log.debug('provider serves', { version: definition.version })
  await served.ended
  release()
  await running.close()
  exit(0)
}

function handlersOf(definition: ProviderDefinition, running: RunningProvider) {
  const { schemas } = running
  return new Map([
    ...providerHandlers(running.service(), schemas),
    ...extensionHandlers(extensionsOf(definition), running.extensions(), schemas),
  ])
}

function debugText(provider: string, { address, protocolVersion }: ServedPlugin): string {
  const target = { address, protocolVersion, pid: process.pid, test: true }
  return `TF_REATTACH_PROVIDERS='${reattachProvidersToText(new Map([[provider, target]]))}'\n`
}

// A terminal sends SIGINT to the host and its plugins. The plugin ignores it: the host decides when to stop it.
function onSignals(close: () => void): () => void {
  const ignore = () => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', close)
  return () => {
    process.off('SIGINT', ignore)
    process.off('SIGTERM', close)
  }
}
