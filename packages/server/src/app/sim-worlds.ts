import { isAbsolute, join, normalize, relative, resolve } from 'node:path'
import type { Value } from '@hykube/tfplugin/value'
import type { CompleteServeOptions } from './serve-options.ts'

// hykube/sim runs as the user of the server, so the place of its world decides which files its users reach.

/** The directory of the world of a Provider that names none. */
export function defaultWorld(dataDirectory: string, cluster: string, provider: string): string {
  return join(dataDirectory, 'worlds', `${provider}.${cluster}`)
}

/**
 * Returns why a configuration of hykube/sim may not use its world. Administrators of the root cluster, who may create
 * Providers and so choose programs of the server, may name any path. Others may name a file in the working directory of the
 * configuration, by a relative path, or one inside a directory of `--provider-path`.
 */
export function worldRefusal(
  { dataDirectory, providerPaths }: Pick<CompleteServeOptions, 'dataDirectory' | 'providerPaths'>,
  configuration: {
    readonly cluster: string
    readonly provider: string
    readonly source: string
    readonly namespace: string | undefined
    readonly value: Value
  },
): string | undefined {
  const { cluster, provider, source, namespace, value } = configuration
  if (!source.endsWith('hykube/sim') || (namespace === undefined && cluster === 'root')) return undefined
  const world = (value as { readonly world?: Value } | null)?.world
  if (typeof world !== 'string') return undefined
  const path = world.replace(/^sqlite:/, '')
  const granted = [
    defaultWorld(dataDirectory, cluster, provider),
    ...(providerPaths.get(`${cluster}/${provider}`) ?? []),
  ]
  const isAllowed = isAbsolute(path)
    ? granted.some((directory) => isInside(resolve(directory), path))
    : !normalize(path).startsWith('..')
  if (isAllowed) return undefined
  return `the world ${JSON.stringify(world)} is outside of the directories that it may use: give a relative path, or start the server with --provider-path ${cluster}/${provider}=DIR`
}

function isInside(directory: string, path: string): boolean {
  const way = relative(directory, resolve(path))
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}
