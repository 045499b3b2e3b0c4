// The first module on the bundled Node: what was compiled, and stripped of types, once is not done again.
import { existsSync } from 'node:fs'
import { constants, enableCompileCache, flushCompileCache, registerHooks } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../node_modules/.cache/hykube-compiled', import.meta.url))
// A user who can't write to the installed package gets a cache of their own.
if (enableCompileCache(beside).status === constants.compileCacheStatus.FAILED)
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hykube', 'compiled'))

// Node writes the cache when it exits. A server that is killed instead would leave its next start as slow as its first.
setTimeout(flushCompileCache, 3000).unref()

// A clone runs its source as it is; a published package has the bundle instead.
const packages = new URL('../packages/', import.meta.url).href
const source = new URL('cli/src/main.ts', packages)
const isClone = existsSync(source)
if (isClone) registerHooks({ resolve })
await import(isClone ? source.href : new URL('../dist/hykube.mjs', import.meta.url).href)

// Says where a module of ours is by its name alone. Node would look at the disk, several times for each of a thousand
// modules, which is a third of the time until a server is ready.
function resolve(specifier, context, next) {
  const url = ownModule(specifier, context.parentURL ?? '')
  return url === undefined ? next(specifier, context) : { url, format: 'module-typescript', shortCircuit: true }
}

function ownModule(specifier, parent) {
  if (specifier.startsWith('.'))
    return parent.startsWith(packages) && specifier.endsWith('.ts') ? new URL(specifier, parent).href : undefined
  const [, name, room] = /^@hykube\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return room === undefined ? undefined : `${packages}${name}/src/${room}/index.ts`
}
