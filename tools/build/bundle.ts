import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { root } from '../root.ts'
import { writeDeclarations } from './declarations.ts'
import { placesOfTheBundle } from './found-by-path.ts'
import { providerLauncher } from './provider-launcher.ts'

/** Result of a bundle. */
export interface Bundled {
  readonly bytes: number
  /** Paths of all bundled modules. */
  readonly modules: readonly string[]
}

/** Bundles the program with its worker threads and the files that it loads by path. */
export function bundleProgram(directory: string): Promise<Bundled> {
  return bundle(directory, {
    hykube: join(root, 'packages/cli/src/main.ts'),
    'task-thread': join(root, 'packages/server/src/storage/sqlite/task-thread.ts'),
    'checkpoint-thread': join(root, 'packages/server/src/storage/sqlite/checkpoint-thread.ts'),
    'pgp-thread': join(root, 'packages/server/src/provider/install/verify/pgp-thread.ts'),
    'yaml-thread': join(root, 'packages/server/src/http/yaml/yaml-thread.ts'),
    yaml: 'yaml',
  })
}

/** Public entry points of the published package. */
const entryPoints: Readonly<Record<string, string>> = {
  runtime: join(root, 'packages/runtime/src/index.ts'),
  'provider-sdk': join(root, 'packages/provider-sdk/src/index.ts'),
}

/**
 * Bundles the public entry points with their type declarations. They share no chunks with the program, so that the
 * program loads few files at startup.
 */
export async function bundleEntryPoints(directory: string): Promise<Bundled> {
  const bundled = await bundle(directory, entryPoints)
  writeDeclarations(join(directory, 'types'), Object.values(entryPoints))
  return bundled
}

/** Bundles a built-in provider with all its code into one directory, whose hash identifies it. */
export async function bundleProvider(directory: string, name: string): Promise<Bundled> {
  const bundled = await bundle(directory, { main: join(root, 'providers', name, 'src/main.ts') })
  const bin = join(directory, 'bin')
  const launcher = join(bin, `terraform-provider-${name}`)
  mkdirSync(bin)
  writeFileSync(launcher, providerLauncher)
  chmodSync(launcher, 0o755)
  return bundled
}

async function bundle(directory: string, input: Record<string, string>): Promise<Bundled> {
  const build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: optional,
    plugins: [placesOfTheBundle()],
    onLog: (_level, { message }) => {
      throw new Error(`cannot bundle ${directory}: ${message}`)
    },
  })
  try {
    const { output } = await build.write({
      dir: directory,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // Names are kept for readable stack traces.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    })
    const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk')
    return {
      bytes: chunks.reduce((sum, { code }) => sum + code.length, 0),
      modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    }
  } finally {
    await build.close()
  }
}

// Optional dependencies: the alternative SQLite driver and the native PostgreSQL driver.
const optional = ['better-sqlite3', 'pg-native']
