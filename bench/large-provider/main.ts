import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client, type ProgramOptions, startServer, type TestServer } from '../../test/e2e/server.ts'
import { findRealPart } from '../../test/real-parts/obtain.ts'
import { residentMegabytes } from '../plan/cpu.ts'

/**
 * `npm run bench -- large-provider`: a provider of the size of the AWS provider 6.0 (1,506 resource types, 607 data
 * sources, 81,238 attributes) on a server in its own process. Measures the time until all kinds are served, their cost,
 * and how long each kubectl version takes with an empty cache.
 */
const versions = ['1.28', '1.32', '1.36']
const directory = mkdtempSync(join(tmpdir(), 'hykube-bench-'))
const moment = join(directory, 'moment')
const program = join(import.meta.dirname, '../../test/fixtures/large-provider/main.ts')
writeFileSync(
  join(directory, 'terraform-provider-aws'),
  `#!/bin/sh\nexec '${process.execPath}' '${program}' '${moment}'\n`,
)
chmodSync(join(directory, 'terraform-provider-aws'), 0o755)
const server = await startServer({ arguments: ['--provider-dir', directory] })
try {
  await measureKinds(server)
  for (const version of versions) await measureKubectl(version)
} finally {
  await server.remove()
  rmSync(directory, { recursive: true, force: true })
}

async function measureKinds({ process: { pid = 0 } }: TestServer): Promise<void> {
  await warmUp()
  const before = residentMegabytes(pid)
  const provider = '{apiVersion: hykube.io/v1alpha1, kind: Provider, metadata: {name: aws}, spec: {source: local/aws}}'
  await run('1.36', ['create', '-f', '-'], { input: provider })
  await run('1.36', ['wait', 'provider/aws', '--for=condition=Ready', '--timeout=60s'])
  row('from the schema to all kinds served', Date.now() - Number(readFileSync(moment, 'utf8')), 'ms', 2000)
  row('memory added', residentMegabytes(pid) - before, 'MB', 100)
  const explained = await run('1.36', ['explain', 'aws-lakeformation-resource-lf-tags-2.spec'])
  row('the first explain, which makes the document', explained.milliseconds, 'ms', 1500)
  const { stdout } = await run('1.36', ['get', '--raw', '/openapi/v3/apis/aws.hykube.io/v1'])
  row('OpenAPI v3 of the group', Buffer.byteLength(stdout) / 1e6, 'MB', 3)
}

// Excludes the cost that any server has for its first requests and writes.
async function warmUp(): Promise<void> {
  const items = Array.from({ length: 300 }, (_, at) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `c${at}`, namespace: 'default' },
    data: { x: 'y'.repeat(1500) },
  }))
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  await run('1.36', ['apply', '--server-side', '-f', '-'], { input })
}

async function measureKubectl(version: string): Promise<void> {
  const calls: readonly (readonly [string, readonly string[], string?])[] = [
    ['api-resources', ['api-resources', '-o', 'name']],
    ['explain', ['explain', 'aws-lakeformation-resource-lf-tags-2.spec']],
    ['explain --recursive of the largest', ['explain', 'aws-giant-dashboard.spec', '--recursive']],
    ['apply', ['apply', '-f', '-'], object(version)],
    ['apply --server-side', ['apply', '--server-side', '-f', '-'], object(`${version}-s`)],
  ]
  for (const [name, args, input] of calls) {
    const { stdout, milliseconds } = await run(version, args, input === undefined ? {} : { input })
    row(`kubectl ${version} ${name}`, milliseconds, 'ms', 1500, `${stdout.split('\n').length - 1} lines`)
  }
}

async function run(version: string, args: readonly string[], options: ProgramOptions = {}) {
  const part = findRealPart(`kubectl-${version}`)
  if (part.kind === 'missing') throw new Error(`kubectl ${version} is not available`)
  const cache = mkdtempSync(join(directory, 'cache-'))
  const begun = performance.now()
  const { code, stdout, stderr } = await client(part.path, server)([`--cache-dir=${cache}`, ...args], options)
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
  return { stdout, milliseconds: performance.now() - begun }
}

function object(name: string): string {
  const kind = { apiVersion: 'aws.hykube.io/v1', kind: 'AwsLakeformationResourceLfTags2' }
  return JSON.stringify({ ...kind, metadata: { name: `a${name}` }, spec: { name: 'a' } })
}

function row(name: string, value: number, unit: string, most: number, note = ''): void {
  const over = value > most ? '  OVER' : ''
  console.log(`${name.padEnd(48)}${value.toFixed(1).padStart(8)} ${unit}, at most ${most}${over} ${note}`)
  console.log(JSON.stringify({ bench: 'large-provider', row: name, value, unit, most }))
}
