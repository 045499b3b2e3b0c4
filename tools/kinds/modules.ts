import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Go modules of the Kubernetes release that the tables are generated from. */
export const releaseModules = {
  kubernetes: 'k8s.io/kubernetes@v1.36.3',
  api: 'k8s.io/api@v0.36.3',
  apimachinery: 'k8s.io/apimachinery@v0.36.3',
  apiextensions: 'k8s.io/apiextensions-apiserver@v0.36.3',
  aggregator: 'k8s.io/kube-aggregator@v0.36.3',
} as const

export type ReleaseModule = keyof typeof releaseModules

/** Local directory of each module. */
export type ReleaseDirectories = Readonly<Record<ReleaseModule, string>>

/** Returns the release from Go's module cache, or a message that names what is missing. Downloads nothing. */
export function cachedRelease(): ReleaseDirectories | string {
  const cache = moduleCache()
  const directories = directoriesIn(cache)
  const missing = Object.values(releaseModules).filter((name) => !existsSync(join(cache, name)))
  return missing.length === 0 ? directories : `not in Go's module cache (${cache}): ${missing.join(', ')}`
}

/** Downloads missing modules with `go mod download`. Throws without Go or a module proxy. */
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
