import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Host } from '../host/host.ts'
import { hykubeVersion } from '../host/package-version.ts'

/** `hykube serve` */
export function serveCommand(_host: Host): Command {
  return new Command('serve')
    .description('Run the server.')
    .option('--data-dir <dir>', 'directory for the database, keys and certificates', 'hykube-data')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 6443)
    .addOption(new Option('--secure-port <port>', 'same as --port').argParser(parsePort))
    .option('--bind <address>', 'address to listen on', '127.0.0.1')
    .addOption(new Option('--bind-address <address>', 'same as --bind'))
    .option('--store <url>', 'database: sqlite:, sqlite:///FILE, postgres://… or memory:', 'sqlite:')
    .option('--token-auth-file <file>', 'CSV file of bearer tokens: token,user,uid,"group1,group2"')
    .option('--client-ca-file <file>', 'additional CA certificates trusted for client authentication')
    .option(
      '--service-account-max-token-expiration <duration>',
      'maximum validity of service account tokens; requests for more get this',
      '48h',
    )
    .addOption(
      new Option(
        '--anonymous-auth [boolean]',
        'accept requests without credentials as system:anonymous; never with AlwaysAllow',
      )
        .argParser(parseBoolean)
        .preset('true')
        .default(true),
    )
    .option(
      '--tls-cert-file <file>',
      "serving certificate chain (PEM), reloaded when it changes (default: issued by the server's own CA)",
    )
    .option('--tls-private-key-file <file>', 'private key of --tls-cert-file (PEM)')
    .option('--tls-min-version <version>', 'minimum TLS version: VersionTLS12 or VersionTLS13', 'VersionTLS12')
    .option('--tls-cipher-suites <names>', 'cipher suites for TLS 1.2, comma-separated IANA names', splitNames)
    .addOption(
      new Option('--authorization-mode <mode>', 'authorization mode').choices(['RBAC', 'AlwaysAllow']).default('RBAC'),
    )
    .option(
      '--master-key-file <file>',
      'key that encrypts secrets and provider state at rest (default: HYKUBE_MASTER_KEY, or a generated file in the data directory)',
    )
    .option('--master-key-command <command>', 'command that prints the key of --master-key-file')
    .option('--service-cluster-ip-range <cidr>', 'range of the cluster IPs of Services', '10.96.0.0/12')
    .option('--cluster <name>', 'logical cluster to serve besides root (repeatable)', collect, [])
    .addOption(
      new Option(
        '--paper-workloads [how]',
        'set the status of workloads as if they were running, or waiting for a node',
      )
        .choices(['running', 'waiting'])
        .default(false),
    )
    .option(
      '--provider-dir <dir>',
      "directory of provider packages in Terraform's mirror layouts (repeatable)",
      collect,
      [],
    )
    .option(
      '--allow-local-scripts',
      "allow hykube/script to run commands on the server's host; users also need the verb use on the Provider",
      false,
    )
    .option(
      '--provider-sources <[cluster=]pattern>',
      'provider sources that a logical cluster may install (default: root signed or pinned ones, others none; repeatable)',
      collect,
      [],
    )
    .option(
      '--provider-uid-range <first-last>',
      'uids and gids of provider processes when the server runs as root',
      '60578-61183',
    )
    .option(
      '--provider-path <[cluster/]name=dir>',
      'directory that the process of a provider may access (repeatable)',
      collect,
      [],
    )
    .option(
      '--egress-allow <cidr|host>',
      'non-public host or network that provider downloads may connect to (repeatable)',
      collect,
      [],
    )
    .option('--provider-registry <host>', 'registry host of provider sources without a host', 'registry.terraform.io')
    .option('--provider-memory-limit <size>', 'maximum memory of a provider process', '4Gi')
    .option('--provider-answer-limit <size>', 'maximum size of one provider response', '8Mi')
    .option('--provider-call-timeout <duration>', 'timeout of provider calls that read, plan or import', '20m')
    .option('--provider-apply-timeout <duration>', 'timeout of provider calls that create, update or destroy', '6h')
    .option('--provider-fetch-timeout <duration>', 'timeout of a registry that sends nothing', '30s')
    .option('--require-second-approver', 'require that plans are approved by another user than their author', false)
    .option('--keep-plans <days>', 'days to keep finished plans', Number, 30)
    .option('--shutdown-grace <seconds>', 'seconds to wait at shutdown for running provider calls', Number, 300)
    .option('--max-connections <count>', 'maximum number of open connections', Number, 10_000)
    .option(
      '--max-connections-per-address <count>',
      'maximum number of open connections from one address (IPv6: one /64)',
      Number,
      2000,
    )
    .option('--v <level>', 'log verbosity; 2 logs requests', Number, 0)
    .option('--config <file>', 'YAML file with any of these flags, named without the leading dashes')
    .addHelpText('after', '\nExamples:\n  hykube serve\n  hykube serve --data-dir /var/lib/hykube --port 6444')
    .action(serve)
}

interface Flags {
  readonly dataDir: string
  readonly port: number
  readonly securePort?: number
  readonly bind: string
  readonly bindAddress?: string
  readonly store: string
  readonly tokenAuthFile?: string
  readonly clientCaFile?: string
  readonly serviceAccountMaxTokenExpiration: string
  readonly anonymousAuth: boolean
  readonly tlsCertFile?: string
  readonly tlsPrivateKeyFile?: string
  readonly tlsMinVersion: string
  readonly tlsCipherSuites?: readonly string[]
  readonly authorizationMode: 'RBAC' | 'AlwaysAllow'
  readonly masterKeyFile?: string
  readonly masterKeyCommand?: string
  readonly serviceClusterIpRange: string
  readonly cluster: readonly string[]
  readonly paperWorkloads: boolean | 'running' | 'waiting'
  readonly providerDir: readonly string[]
  readonly allowLocalScripts: boolean
  readonly providerSources: readonly string[]
  readonly providerUidRange: string
  readonly providerPath: readonly string[]
  readonly egressAllow: readonly string[]
  readonly providerRegistry: string
  readonly providerMemoryLimit: string
  readonly providerAnswerLimit: string
  readonly providerCallTimeout: string
  readonly providerApplyTimeout: string
  readonly providerFetchTimeout: string
  readonly requireSecondApprover: boolean
  readonly keepPlans: number
  readonly shutdownGrace: number
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly v: number
  readonly config?: string
}

async function serve(given: Flags, command: Command): Promise<void> {
  // Loaded here, so that other commands start without loading the server.
  const { serve: start } = await import('@hykube/server/app')
  const flags = given.config === undefined ? given : await withFile(given, given.config, command)
  // Users of provider processes can enter the data directory, so files must not be readable for others by default.
  process.umask(0o077)
  // Handled from here on: a signal while starting lets the start end, so that provider processes are stopped too.
  const signal = stopSignal(flags.shutdownGrace)
  const server = await start({
    dataDirectory: flags.dataDir,
    port: flags.securePort ?? flags.port,
    bind: flags.bindAddress ?? flags.bind,
    store: flags.store,
    tokenAuthFile: flags.tokenAuthFile,
    clientCaFile: flags.clientCaFile,
    serviceAccountMaxTokenExpiration: flags.serviceAccountMaxTokenExpiration,
    anonymousAuth: flags.anonymousAuth,
    tlsCertFile: flags.tlsCertFile,
    tlsPrivateKeyFile: flags.tlsPrivateKeyFile,
    tlsMinVersion: flags.tlsMinVersion,
    tlsCipherSuites: flags.tlsCipherSuites,
    authorizationMode: flags.authorizationMode,
    masterKeyFile: flags.masterKeyFile,
    masterKeyCommand: flags.masterKeyCommand,
    serviceAddressRange: flags.serviceClusterIpRange,
    clusters: flags.cluster,
    paperWorkloads: flags.paperWorkloads,
    providerDirectories: flags.providerDir,
    allowLocalScripts: flags.allowLocalScripts,
    providerSources: flags.providerSources,
    providerUidRange: flags.providerUidRange,
    providerPaths: flags.providerPath,
    egressAllow: flags.egressAllow,
    providerRegistry: flags.providerRegistry,
    providerMemoryLimit: flags.providerMemoryLimit,
    providerAnswerLimit: flags.providerAnswerLimit,
    providerCallTimeout: flags.providerCallTimeout,
    providerApplyTimeout: flags.providerApplyTimeout,
    providerFetchTimeout: flags.providerFetchTimeout,
    requireSecondApprover: flags.requireSecondApprover,
    planRetentionDays: flags.keepPlans,
    shutdownGraceSeconds: flags.shutdownGrace,
    maxConnections: flags.maxConnections,
    maxConnectionsPerAddress: flags.maxConnectionsPerAddress,
    verbosity: flags.v,
    version: hykubeVersion(),
  })
  if (!signal.isReceived()) {
    process.stdout.write(`ready ${server.url}\n`)
    printNextSteps(server.dataDirectory)
  }
  const failure = await Promise.race([signal.received, server.failed])
  if (failure !== undefined) {
    process.stderr.write(`hykube: ${failure.message}\n`)
    process.exit(1)
  }
  await server.close()
  // Everything is closed; a handle that a library left open must not keep the process alive.
  process.exit(0)
}

function printNextSteps(dataDirectory: string): void {
  process.stderr.write(
    [
      '',
      'Next, in another terminal:',
      `  export KUBECONFIG=${join(dataDirectory, 'admin.kubeconfig')}`,
      '  hykube providers install hykube/sim    # a simulated cloud',
      '  hykube doctor                          # kubectl works too: kubectl get namespaces',
      '',
      'Press Ctrl-C to stop the server. All data is kept.',
      '',
    ].join('\n'),
  )
}

// The first signal begins a clean stop, the second ends the process at once.
function stopSignal(graceSeconds: number) {
  const { promise: received, resolve } = Promise.withResolvers<undefined>()
  let stoppedAt: number | undefined
  const stop = () => {
    // npm passes on a Ctrl-C that the terminal sent to this process as well.
    if (stoppedAt !== undefined && !(isStartedByNpm && performance.now() - stoppedAt < 500)) process.exit(1)
    if (stoppedAt === undefined)
      process.stderr.write(
        `hykube: stopping; running provider calls get up to ${graceSeconds} s to end, a second Ctrl-C stops now\n`,
      )
    stoppedAt ??= performance.now()
    resolve(undefined)
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, stop)
  onParentDeath(stop)
  return { received, isReceived: () => stoppedAt !== undefined }
}

const isStartedByNpm = process.env.npm_lifecycle_event === 'start'

// npm and the launcher of an older Node forward signals. SIGKILL ends them without one; the server then has another parent.
function onParentDeath(stop: () => void): void {
  const parent = process.ppid
  if (!isStartedByNpm && process.env.HYKUBE_LAUNCHER !== String(parent)) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
}

// Flags of the command line take precedence over the file.
async function withFile(given: Flags, file: string, command: Command): Promise<Flags> {
  const { readFile } = await import('node:fs/promises')
  const { parse } = await import('yaml')
  const document = (parse(await readFile(file, 'utf8')) ?? {}) as Record<string, unknown>
  const known = new Map(command.options.map((option) => [option.long?.slice(2), option]))
  const merged: Record<string, unknown> = { ...given }
  for (const [name, value] of Object.entries(document)) {
    const option = known.get(name)
    if (option === undefined)
      throw new Error(`${file}: unknown setting ${JSON.stringify(name)}; see hykube serve --help`)
    const attribute = option.attributeName()
    if (command.getOptionValueSource(attribute) === 'cli') continue
    const isText = typeof value === 'string' && option.parseArg !== undefined
    merged[attribute] = isText ? option.parseArg!(value, option.defaultValue) : value
  }
  return merged as unknown as Flags
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('Use a number from 0 to 65535.')
  return port
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Use true or false.')
  return text === 'true'
}

function splitNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim())
}

function collect(value: string, others: readonly string[]): readonly string[] {
  return [...others, value]
}
