import { dirname, resolve } from 'node:path'
import { messageOf } from '@hykube/machinery/base'
import { parse } from 'yaml'
import { type ExecConfig, type ExecContext, ExecLogin } from './exec-login.ts'
import { KubeconfigError } from './kubeconfig-error.ts'

/** The merged content of several kubeconfig files. Of entries with the same name the first wins, as in kubectl. */
export interface Kubeconfig {
  readonly currentContext: string | undefined
  readonly contexts: ReadonlyMap<string, KubeconfigContext>
  readonly clusters: ReadonlyMap<string, Entry>
  readonly users: ReadonlyMap<string, Entry>
}

/** A context: a cluster, a user and a default namespace. */
export interface KubeconfigContext {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** Options for resolving a kubeconfig, from the command line. */
export interface KubeconfigChoice {
  /** Default: the current context. */
  readonly context?: string | undefined
  /** The environment of credential plugins. Default: empty. */
  readonly environment?: NodeJS.ProcessEnv | undefined
}

/** The address of a server and the credentials for it. Certificates and keys are PEM. */
export interface ClusterAccess {
  /** The URL, without a trailing slash. */
  readonly server: string
  readonly context: string
  /** The namespace of the context; default `default`. */
  readonly namespace: string
  readonly authority?: string
  readonly certificate?: string
  readonly key?: string
  readonly token?: string
  /** The credential plugin; its token is read for each request, and renewed when it expires. */
  readonly login?: { readonly credential: { readonly token?: string } }
  readonly basic?: string
  readonly serverName?: string
  /** Skips verification of the server certificate. */
  readonly insecure: boolean
}

/** Parses and merges kubeconfig documents; earlier ones have precedence. */
export function kubeconfigFromTexts(files: readonly { readonly path: string; readonly text: string }[]): Kubeconfig {
  const documents = files.map(({ path, text }) => ({ path, document: documentFrom(path, text) }))
  const merged = (list: 'clusters' | 'users' | 'contexts', entry: string): Map<string, Entry> => {
    const all = documents.flatMap(({ path, document }) =>
      (document[list] ?? []).map(
        (each) => [each.name, { ...each[entry], [directoryOf]: dirname(path) } as Entry] as const,
      ),
    )
    // In reverse, so that the entries of earlier files overwrite those of later ones.
    return new Map(all.reverse())
  }
  return {
    currentContext: documents.map(({ document }) => document['current-context']).find((name) => name),
    contexts: merged('contexts', 'context') as unknown as Map<string, KubeconfigContext>,
    clusters: merged('clusters', 'cluster'),
    users: merged('users', 'user'),
  }
}

/** Resolves a context to the access to its server. `read` returns the text of a file that the kubeconfig refers to. */
export function resolveAccess(
  config: Kubeconfig,
  { context: chosen, environment = {} }: KubeconfigChoice,
  read: (path: string) => string,
): ClusterAccess {
  const name = chosen ?? config.currentContext
  if (name === undefined) throw new KubeconfigError('the kubeconfig has no current context: choose one with --context')
  const context = config.contexts.get(name)
  if (context === undefined)
    throw new KubeconfigError(`the kubeconfig has no context ${JSON.stringify(name)}: ${listOf(config.contexts)}`)
  const cluster = entryOf(config.clusters, context.cluster, `context ${JSON.stringify(name)} refers to cluster`)
  const user =
    context.user === undefined
      ? emptyEntry
      : entryOf(config.users, context.user, `context ${JSON.stringify(name)} refers to user`)
  if (typeof cluster.server !== 'string')
    throw new KubeconfigError(`cluster ${JSON.stringify(context.cluster)} of the kubeconfig has no server`)
  if (user['auth-provider'] !== undefined)
    throw new KubeconfigError(
      `user ${JSON.stringify(context.user)} of the kubeconfig has an auth-provider, which is not supported (nor by kubectl): use exec, a certificate or a token`,
    )
  const field = (entry: Entry, base: string) => contentOf(entry, base, read)
  const authority = field(cluster, 'certificate-authority')
  const login = loginOf(user, { user: context.user ?? '', cluster: clusterInfo(cluster, authority), environment })
  return {
    server: cluster.server.replace(/\/+$/, ''),
    context: name,
    namespace: context.namespace ?? 'default',
    insecure: cluster['insecure-skip-tls-verify'] === true,
    ...defined({
      authority,
      login,
      certificate: field(user, 'client-certificate') ?? login?.credential.clientCertificateData,
      key: field(user, 'client-key') ?? login?.credential.clientKeyData,
      token: textOf(user.token) ?? fileOf(user, 'tokenFile', read)?.trim(),
      basic: basicOf(user),
      serverName: textOf(cluster['tls-server-name']),
    }),
  }
}

function loginOf(user: Entry, context: Omit<ExecContext, 'directory'>): ExecLogin | undefined {
  if (user.exec === undefined || user.exec === null) return undefined
  return new ExecLogin(user.exec as ExecConfig, { ...context, directory: textOf(user[directoryOf]) ?? '.' })
}

function clusterInfo(cluster: Entry, authority: string | undefined): object {
  return {
    server: cluster.server,
    ...(authority !== undefined && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(cluster['tls-server-name'] !== undefined && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] === true && { 'insecure-skip-tls-verify': true }),
  }
}

type Entry = Readonly<Record<string | symbol, unknown>>

interface Document {
  readonly 'current-context'?: string
  readonly contexts?: readonly NamedEntry[]
  readonly clusters?: readonly NamedEntry[]
  readonly users?: readonly NamedEntry[]
}

type NamedEntry = { readonly name: string } & Readonly<Record<string, Entry>>

const emptyEntry: Entry = {}
// The directory of the file of an entry: relative paths in a kubeconfig are relative to it.
const directoryOf = Symbol('directory')

function documentFrom(path: string, text: string): Document {
  try {
    const document: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text)
    return (typeof document === 'object' && document !== null ? document : {}) as Document
  } catch (error) {
    throw new KubeconfigError(`cannot read kubeconfig ${path}: ${messageOf(error)}`)
  }
}

function entryOf(entries: ReadonlyMap<string, Entry>, name: string | undefined, why: string): Entry {
  const entry = name === undefined ? undefined : entries.get(name)
  if (entry === undefined)
    throw new KubeconfigError(`invalid kubeconfig: ${why} ${JSON.stringify(name ?? '')}, which does not exist`)
  return entry
}

function contentOf(entry: Entry, base: string, read: (path: string) => string): string | undefined {
  const data = textOf(entry[`${base}-data`])
  return data === undefined ? fileOf(entry, base, read) : Buffer.from(data, 'base64').toString('utf8')
}

function fileOf(entry: Entry, field: string, read: (path: string) => string): string | undefined {
  const path = textOf(entry[field])
  if (path === undefined) return undefined
  const directory = textOf(entry[directoryOf]) ?? '.'
  try {
    return read(resolve(directory, path))
  } catch (error) {
    throw new KubeconfigError(`cannot read ${path} (${field} of the kubeconfig): ${messageOf(error)}`)
  }
}

function basicOf({ username, password }: Entry): string | undefined {
  if (typeof username !== 'string') return undefined
  return Buffer.from(`${username}:${textOf(password) ?? ''}`).toString('base64')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function listOf(contexts: ReadonlyMap<string, unknown>): string {
  return contexts.size === 0 ? 'it has none' : `it has ${[...contexts.keys()].join(', ')}`
}

function defined<T extends object>(fields: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
