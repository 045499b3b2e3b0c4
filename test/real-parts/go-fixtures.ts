import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RealPart } from './part.ts'
import { isExecutable, onPath, run } from './run.ts'

/** Our own Go programs on the libraries of providers, plugin hosts and Kubernetes clients. */
export const goFixtures: readonly RealPart[] = [
  fixture('go-cty', 'fixtures/go-cty', 'go-cty as a referee of values', false),
  fixture('go-plugin-host', 'fixtures/go-plugin-host', 'a plugin host on hashicorp/go-plugin', true),
  // The build takes two minutes once. It runs on every machine with Go, because it is the most complete test of the
  // API.
  fixture('go-clients', 'clients/go', 'clients on client-go and controller-runtime', false),
  provider('frame', 'a provider on the newest terraform-plugin-framework'),
  provider('legacy', 'a provider on the newest terraform-plugin-sdk/v2'),
  provider('mixed', 'both of them in one by terraform-plugin-mux'),
]

// All providers share one module, so that dependencies are built once.
function provider(name: string, description: string): RealPart {
  const program = `terraform-provider-${name}`
  return fixture(program, 'fixtures/go', description, false, `./${program}`)
}

function fixture(name: string, place: string, description: string, heavy: boolean, main = '.'): RealPart {
  const directory = join(import.meta.dirname, '..', place)
  const built = (cache: string) => join(cache, 'go', `${name}-${hashOf(directory)}`)
  return {
    name,
    description: `${description}, built here`,
    heavy,
    locate: (cache) => (isExecutable(built(cache)) ? built(cache) : undefined),
    obtain: async (cache) => {
      const go = onPath('go')
      if (go === undefined) throw new Error('go is not on the PATH')
      const scratch = `${built(cache)}.tmp-${process.pid}`
      mkdirSync(join(cache, 'go'), { recursive: true })
      await run(go, ['build', '-o', scratch, main], { cwd: directory })
      renameSync(scratch, built(cache))
    },
    remedy: 'install Go and run npm run test:full',
  }
}

// A program is rebuilt when its source changes.
function hashOf(directory: string): string {
  const hash = createHash('sha256')
  for (const file of globSync('{**/*.go,go.mod,go.sum}', { cwd: directory }).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(directory, file)))
  }
  return hash.digest('hex').slice(0, 12)
}
