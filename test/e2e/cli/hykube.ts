import { join, resolve } from 'node:path'
import { client, type ProgramOptions, type ProgramResult, type TestServer } from '../server.ts'

/** The repository. */
export const root: string = resolve(import.meta.dirname, '../../..')

/** The program as a fresh clone has it. */
export const program: string = join(root, 'bin/hykube')

/** Runs the program against a server, without a terminal. */
export function hykube(server: Pick<TestServer, 'kubeconfig' | 'dataDirectory'>) {
  const run = client(program, server)
  return (args: readonly string[] | string, options: ProgramOptions = {}): Promise<ProgramResult> =>
    run(args, { ...options, env: { CI: '', NO_COLOR: '', ...options.env } })
}

/** The last line that is not empty. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}

/** Objects of the simulated cloud: a network, a subnet that refers to it, and machines in it. */
export function estate({ machines = 3, cidr = '10.0.1.0/24', size = 'small', provider = 'sim' } = {}): string {
  const group = `${provider}.hykube.io/v1`
  return `apiVersion: ${group}
kind: SimNetwork
metadata: {name: main}
spec: {name: main, cidr: 10.0.0.0/16}
---
apiVersion: ${group}
kind: SimSubnet
metadata: {name: a}
spec: {network_id: "\${sim_network.main.id}", cidr: ${cidr}}
---
apiVersion: ${group}
kind: SimInstance
metadata: {name: web}
spec: {count: ${machines}, subnet_id: "\${sim_subnet.a.id}", image: img-debian-x86_64, size: ${size}}
`
}

/** A Provider of the simulated cloud. */
export function simProvider({ name = 'sim', latency = 0 } = {}): string {
  return `apiVersion: hykube.io/v1alpha1
kind: Provider
metadata: {name: ${name}}
spec: {source: hykube/sim, config: {latency_ms: ${latency}}}
---
`
}
