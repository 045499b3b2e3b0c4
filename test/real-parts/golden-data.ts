import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { unpackNpmPackage } from './npm-package.ts'
import type { RealPart } from './part.ts'
import { onPath, run } from './run.ts'

/** Third-party test cases with expected results. Read from caches, never copied into the repository. */
export const goldenData: readonly RealPart[] = [
  fromNpm('json-patch-test-suite', 'json-patch-test-suite@1.1.0'),
  goModule('structured-merge-diff', 'sigs.k8s.io/structured-merge-diff/v6@v6.4.2'),
  goModule('cel-spec', 'cel.dev/expr@v0.25.3'),
]

function fromNpm(name: string, spec: string): RealPart {
  const at = (cache: string) => join(cache, name)
  return {
    name,
    description: `${spec} from the package registry`,
    heavy: false,
    locate: (cache) => (existsSync(at(cache)) ? at(cache) : undefined),
    obtain: (cache) => unpackNpmPackage(cache, spec, name),
    remedy: 'run npm test where a package registry can be reached',
  }
}

function goModule(name: string, module: string): RealPart {
  return {
    name,
    description: `${module} in Go's module cache`,
    heavy: false,
    locate: () => (existsSync(join(moduleCache(), module)) ? join(moduleCache(), module) : undefined),
    obtain: async (cache) => {
      const go = onPath('go')
      if (go === undefined) throw new Error('go is not on the PATH')
      await run(go, ['mod', 'download', module], { cwd: cache })
    },
    remedy: 'install Go 1.24 or later',
  }
}

function moduleCache(): string {
  const { GOMODCACHE, GOPATH } = process.env
  return GOMODCACHE || join(GOPATH?.split(':')[0] || join(homedir(), 'go'), 'pkg', 'mod')
}
