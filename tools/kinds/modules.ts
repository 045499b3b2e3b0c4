import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The Kubernetes release whose facts the tables hold, as Go modules. */
export const releaseModules = {
  kubernetes: 'k8s.io/kubernetes@v1.36.3',
  api: 'k8s.io/api@v0.36.3',
  apimachinery: 'k8s.io/apimachinery@v0.36.3',
  apiextensions: 'k8s.io/apiextensions-apiserver@v0.36.3',
  aggregator: 'k8s.io/kube-aggregator@v0.36.3',
} as const

export type ReleaseModule = keyof typeof releaseModules

/** Where each module of the release lies on this machine. */
export type ReleaseDirectories = Readonly<Record<ReleaseModule, string>>

/** The release in Go's module cache as it is; a sentence that says what is missing otherwise. Nothing is downloaded. */
export function cachedRelease(): ReleaseDirectories | string {
  const cache = moduleCache()
  const directories = directoriesIn(cache)
  const missing = Object.values(releaseModules).filter((name) => !existsSync(join(cache, name)))
  return missing.length === 0 ? directories : `not in Go's module cache (${cache}): ${missing.join(', ')}`
}

/** Downloads what is missing with `go mod download`; throws when there is no Go or no module proxy. */
export function downloadRelease(): ReleaseDirectories {
  const cached = cachedRelease()
  if (typeof cached !== 'string') return cached
  for (const module of Object.values(releaseModules)) {
    execFileSync('go', ['mod', 'download', '-json', module], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const now = cachedRelease()
  if (typeof now === 'string') throw new Error(`cannot read the Kubernetes release: ${now}`)
  return now
}

function directoriesIn(cache: string): ReleaseDirectories {
  const entries = Object.entries(releaseModules).map(([key, name]) => [key, join(cache, name)])
  return Object.fromEntries(entries) as ReleaseDirectories
}

function moduleCache(): string {
  const { GOMODCACHE, GOPATH } = process.env
  if (GOMODCACHE !== undefined && GOMODCACHE !== '') return GOMODCACHE
  const path = GOPATH?.split(':')[0]
  return join(path === undefined || path === '' ? join(homedir(), 'go') : path, 'pkg', 'mod')
}
