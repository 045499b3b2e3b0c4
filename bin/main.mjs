// The first module on the bundled Node: what was compiled, and stripped of types, once is not done again.
import { existsSync } from 'node:fs'
import { constants, enableCompileCache, flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../node_modules/.cache/hykube-compiled', import.meta.url))
// Whoever runs a package that somebody else installed has a cache of their own.
if (enableCompileCache(beside).status === constants.compileCacheStatus.FAILED)
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hykube', 'compiled'))

// Node writes the cache when it exits. A server that is killed instead would leave its next start as slow as its first.
setTimeout(flushCompileCache, 3000).unref()

// A clone runs its source as it is; a published package has the bundle instead.
const source = new URL('../packages/cli/src/main.ts', import.meta.url)
await import(existsSync(source) ? source.href : new URL('../dist/hykube.mjs', import.meta.url).href)
