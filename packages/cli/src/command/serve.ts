import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Host } from './host.ts'
import { hykubeVersion } from './package-version.ts'

/** `hykube serve` */
export function serveCommand(_host: Host): Command {
  return new Command('serve')
    .description('Run the server.')
    .option('--data-dir <dir>', 'where everything is kept', 'hykube-data')
    .option('--port <port>', 'the port to serve on; 0 picks a free one', parsePort, 6443)
    .addOption(new Option('--secure-port <port>', 'the same as --port').argParser(parsePort))
    .option('--bind <address>', 'the address to serve on', '127.0.0.1')
    .addOption(new Option('--bind-address <address>', 'the same as --bind'))
    .option('--store <url>', 'sqlite:, sqlite:///FILE, postgres://…, memory:', 'sqlite:')
    .option('--token-auth-file <file>', 'CSV of tokens: token,user,uid,"group1,group2"')
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
      'certificate chain to serve with, in PEM; read again when it changes; else one of the own authority',
    )
    .option('--tls-private-key-file <file>', 'private key of --tls-cert-file')
    .option('--tls-min-version <version>', 'VersionTLS12 or VersionTLS13', 'VersionTLS12')
    .option('--tls-cipher-suites <names>', 'cipher suites for TLS 1.2, comma-separated IANA names', splitNames)
    .addOption(
      new Option('--authorization-mode <mode>', 'who may do what').choices(['RBAC', 'AlwaysAllow']).default('RBAC'),
    )
    .option(
      '--master-key-file <file>',
      'the key for what is encrypted at rest; else HYKUBE_MASTER_KEY, else made in the data directory',
    )
    .option('--master-key-command <command>', 'a command that prints that key')
    .option('--service-cluster-ip-range <cidr>', 'where services get their addresses from', '10.96.0.0/12')
    .option('--cluster <name>', 'a logical cluster beside root; may be given several times', collect, [])
    .addOption(
      new Option(
        '--paper-workloads [how]',
        'set the status of workloads as if they ran, or as if they waited for a node',
      )
        .choices(['running', 'waiting'])
        .default(false),
    )
    .option(
      '--provider-dir <dir>',
      "a directory of provider packages in Terraform's layouts; may be given several times",
      collect,
      [],
    )
    .option(
      '--allow-local-scripts',
      "let hykube/script run commands on the server's host; users still need the verb use on the Provider",
      false,
    )
    .option(
      '--provider-sources <[cluster=]pattern>',
      'sources that a logical cluster may install (default: root what is signed or pinned, others none); may be given several times',
      collect,
      [],
    )
    .option(
      '--provider-uid-range <first-last>',
      'uids and gids of provider processes, where the server runs as root',
      '60578-61183',
    )
    .option(
      '--provider-path <[cluster/]name=dir>',
      'give a directory to the user of a provider; may be given several times',
      collect,
      [],
    )
    .option(
      '--egress-allow <cidr|host>',
      'let package installation reach a host or network that is not public; may be given several times',
      collect,
      [],
    )
    .option('--provider-registry <host>', 'the host of provider sources that name none', 'registry.terraform.io')
    .option('--provider-memory-limit <size>', 'how much memory a process of a provider may have', '4Gi')
    .option('--provider-answer-limit <size>', 'how large one answer of a provider may be', '16Mi')
    .option('--provider-call-timeout <duration>', 'how long a provider may take to read, plan or import', '20m')
    .option('--provider-apply-timeout <duration>', 'how long a provider may take to make, change or destroy', '6h')
    .option('--provider-fetch-timeout <duration>', 'how long a registry may be silent', '30s')
    .option('--require-second-approver', 'a plan must be approved by somebody else than its author', false)
    .option('--keep-plans <days>', 'how many days finished plans are kept', Number, 30)
    .option('--shutdown-grace <seconds>', 'how long running provider calls may take to end', Number, 300)
    .option('--max-connections <count>', 'open connections in total', Number, 10_000)
    .option('--max-connections-per-address <count>', 'open connections from one address (IPv6: one /64)', Number, 2000)
    .option('--v <level>', 'how much is logged', Number, 0)
    .option('--config <file>', 'YAML with any of these, by their names without dashes in front')
    .addHelpText('after', '\nExample:\n  hykube serve --data-dir /var/lib/hykube --port 6443')
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
  // Loaded here, so that every other command starts without the server.
  const { serve: start } = await import('@hykube/server/app')
  const flags = given.config === undefined ? given : await withFile(given, given.config, command)
  // Whatever is written is the server's alone, unless it says otherwise: users of providers can pass through the data directory.
  process.umask(0o077)
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
  const signaled = untilSignal()
  process.stdout.write(`ready ${server.url}\n`)
  tellWhatNext(server.dataDirectory)
  const failure = await Promise.race([signaled, server.failed])
  if (failure !== undefined) {
    process.stderr.write(`hykube: ${failure.message}\n`)
    process.exit(1)
  }
  await server.close()
  // Everything is closed and kept; what a library still holds open must not keep the process.
  process.exit(0)
}

function tellWhatNext(dataDirectory: string): void {
  process.stderr.write(
    [
      '',
      'Next, in another terminal:',
      `  export KUBECONFIG=${join(dataDirectory, 'admin.kubeconfig')}`,
      '  kubectl get namespaces',
      '  kubectl create configmap hello --from-literal=to=you',
      '',
      'Ctrl-C stops the server; everything written is kept.',
      '',
    ].join('\n'),
  )
}

// The first signal begins a clean stop, the second ends the process at once.
function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined
    const stop = () => {
      // npm passes on a Ctrl-C that the terminal sent to this process too.
      if (stoppedAt !== undefined && !(isStartedByNpm && performance.now() - stoppedAt < 500)) process.exit(1)
      if (stoppedAt === undefined) process.stderr.write('hykube: stopping\n')
      stoppedAt ??= performance.now()
      resolve(undefined)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
    onParentDeath(stop)
  })
}

const isStartedByNpm = process.env.npm_lifecycle_event === 'start'

// npm and the launcher of an older Node pass signals on, but SIGKILL ends them unseen: the server then has another parent.
function onParentDeath(stop: () => void): void {
  const parent = process.ppid
  if (!isStartedByNpm && process.env.HYKUBE_LAUNCHER !== String(parent)) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500).unref()
}

// What the command line says wins over the file.
async function withFile(given: Flags, file: string, command: Command): Promise<Flags> {
  const { readFile } = await import('node:fs/promises')
  const { parse } = await import('yaml')
  const document = (parse(await readFile(file, 'utf8')) ?? {}) as Record<string, unknown>
  const known = new Map(command.options.map((option) => [option.long?.slice(2), option]))
  const merged: Record<string, unknown> = { ...given }
  for (const [name, value] of Object.entries(document)) {
    const option = known.get(name)
    if (option === undefined)
      throw new Error(`${file} sets ${JSON.stringify(name)}, which serve does not know; see hykube serve --help`)
    const attribute = option.attributeName()
    if (command.getOptionValueSource(attribute) === 'cli') continue
    const isText = typeof value === 'string' && option.parseArg !== undefined
    merged[attribute] = isText ? option.parseArg!(value, option.defaultValue) : value
  }
  return merged as unknown as Flags
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return port
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It is true or false.')
  return text === 'true'
}

function splitNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim())
}

function collect(value: string, others: readonly string[]): readonly string[] {
  return [...others, value]
}
