import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { parse } from 'yaml'

/**
 * The reason not to use a kubeconfig in the current directory by default; undefined when it may be used. Other users who can
 * write to the directory must not choose which program runs or which server gets manifests. So only this user may have been
 * able to write the file, and it may hold only what `serve` writes.
 */
export function distrustOf(file: string): string | undefined {
  return distrustOfFile(file) ?? distrustOfContent(readFileSync(file, 'utf8'))
}

function distrustOfFile(file: string): string | undefined {
  // Windows has neither owners nor modes in this sense.
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const stats = lstatSync(file)
  const directory = statSync(dirname(file))
  if (!stats.isFile()) return 'it is not a regular file'
  if (stats.uid !== user || directory.uid !== user) return 'it or its directory belongs to another user'
  if ((stats.mode & 0o077) !== 0) return `other users may read or write it (mode ${modeOf(stats)})`
  if ((directory.mode & 0o022) !== 0) return `other users may write to its directory (mode ${modeOf(directory)})`
  return undefined
}

function distrustOfContent(text: string): string | undefined {
  const config = parse(text) as Config | null
  for (const { user = {} } of config?.users ?? [])
    for (const field of Object.keys(user))
      if (!userFields.has(field)) return `it has a user with ${JSON.stringify(field)}, which serve never writes`
  for (const { cluster = {} } of config?.clusters ?? []) {
    for (const field of Object.keys(cluster))
      if (!clusterFields.has(field)) return `it has a cluster with ${JSON.stringify(field)}, which serve never writes`
    if (!isThisMachine(String(cluster.server)))
      return `it names the server ${cluster.server}, which is not this machine`
  }
  return undefined
}

interface Config {
  readonly users?: readonly { readonly user?: Readonly<Record<string, unknown>> }[]
  readonly clusters?: readonly { readonly cluster?: Readonly<Record<string, unknown>> }[]
}

// No program, no other file, no unverified certificate.
const userFields = new Set(['client-certificate-data', 'client-key-data', 'token'])
const clusterFields = new Set(['server', 'certificate-authority-data'])

function isThisMachine(server: string): boolean {
  const url = URL.parse(server)
  if (url?.protocol !== 'https:') return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host === '::1') return true
  if (/^127(\.\d{1,3}){3}$/.test(host)) return true
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host))
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}
