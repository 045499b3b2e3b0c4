import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RealPart } from './part.ts'
import { isExecutable, onPath, run } from './run.ts'

const remedy = 'install Go and run npm run test:full'

/** Programs built from the Go module proxy, if `go` is installed. */
export const goPrograms: readonly RealPart[] = [
  installed('nats-server', 'github.com/nats-io/nats-server/v2@v2.15.2', true),
  installed('terraform-provider-time', 'github.com/hashicorp/terraform-provider-time@v0.14.2', false),
  installed('terraform-provider-kubectl', 'github.com/gavinbunney/terraform-provider-kubectl@v1.19.0', true),
  fromOpenTofu('tofu', './cmd/tofu'),
  fromOpenTofu('terraform-provider-simple', './internal/provider-simple/main'),
  fromOpenTofu('terraform-provider-simple6', './internal/provider-simple-v6/main'),
]

/** The installed Go toolchain. */
export const go: RealPart = {
  name: 'go',
  description: 'the Go toolchain of this machine',
  heavy: false,
  locate: () => onPath('go'),
  remedy: 'install Go 1.24 or later',
}

function installed(name: string, module: string, heavy: boolean): RealPart {
  return {
    name,
    description: `${module}, built here`,
    heavy,
    locate: (cache) => builtProgram(cache, name),
    obtain: async (cache) => {
      const scratch = join(cache, `${name}.tmp-${process.pid}`)
      mkdirSync(scratch, { recursive: true })
      await run(requireGo(), ['install', module], {
        cwd: scratch,
        env: { ...process.env, GOBIN: scratch, GOFLAGS: '-mod=mod' },
      })
      keep(join(scratch, name), cache, name)
      rmSync(scratch, { recursive: true, force: true })
    },
    remedy,
  }
}

// OpenTofu's module has replace directives, which `go install` rejects, so it is built from a copy.
function fromOpenTofu(name: string, directory: string): RealPart {
  return {
    name,
    description: `${name} out of OpenTofu 1.12.6, built here`,
    heavy: true,
    locate: (cache) => builtProgram(cache, name),
    obtain: async (cache) => {
      const downloaded = await run(requireGo(), ['mod', 'download', '-json', 'github.com/opentofu/opentofu@v1.12.6'], {
        cwd: cache,
      })
      const { Dir } = JSON.parse(downloaded) as { Dir: string }
      const copy = join(cache, 'opentofu-source')
      if (!existsSync(copy)) {
        cpSync(Dir, `${copy}.tmp`, { recursive: true })
        await run('chmod', ['-R', 'u+w', `${copy}.tmp`], { cwd: cache })
        renameSync(`${copy}.tmp`, copy)
      }
      await run(requireGo(), ['build', '-o', join(copy, name), directory], { cwd: copy })
      keep(join(copy, name), cache, name)
    },
    remedy,
  }
}

/** Returns a program built into the cache earlier. */
export function builtProgram(cache: string, name: string): string | undefined {
  const path = join(cache, 'go', name)
  return isExecutable(path) ? path : undefined
}

/** Moves a built program to the cache. */
export function keep(program: string, cache: string, name: string): void {
  mkdirSync(join(cache, 'go'), { recursive: true })
  renameSync(program, join(cache, 'go', name))
}

/** Returns the Go toolchain. Throws when it is missing. */
export function requireGo(): string {
  const found = onPath('go')
  if (found === undefined) throw new Error('go is not on the PATH')
  return found
}
