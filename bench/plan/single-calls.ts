import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RunningProvider } from '@hykube/provider-sdk/provider'
import { servePlugin } from '@hykube/tfplugin/handshake'
import { extensionHandlers, providerHandlers } from '@hykube/tfplugin/protocol'
import { simProvider } from '../../providers/sim/src/provider.ts'

/** Creates a provider directory with a variant of the simulated cloud that has no batch calls. */
export function singleCallsDirectory(parent: string): string {
  const directory = join(parent, 'single-calls')
  mkdirSync(directory)
  const program = join(directory, 'terraform-provider-sim')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${resolve(import.meta.filename)}\n`)
  chmodSync(program, 0o755)
  return directory
}

if (import.meta.main) await serveSingleCalls()

async function serveSingleCalls(): Promise<void> {
  const silent = () => {}
  const log = { trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  const running = new RunningProvider(simProvider, log)
  const { schemas } = running
  const single = { readMany: false, planMany: false, applyMany: false, validateMany: false }
  const one = { ...single, idempotentApply: true, deterministicPlan: false }
  const extensions = new Map(Object.keys(simProvider.resources ?? {}).map((type) => [type, one]))
  const handlers = new Map([
    ...providerHandlers(running.service(), schemas),
    ...extensionHandlers(extensions, running.extensions(), schemas),
  ])
  const served = await servePlugin({
    protocols: new Map([[6, handlers]]),
    env: process.env,
    write: (text) => void process.stdout.write(text),
    network: 'unix',
  })
  await served.ended
  await running.close()
  process.exit(0)
}
