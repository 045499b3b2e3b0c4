import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { etcd, kubeApiserver } from './control-plane.ts'
import { obtainOnDemand } from './obtain.ts'

/** A running kube-apiserver. */
export interface KubeApiserver {
  readonly name: 'kube-apiserver'
  readonly url: string
  /** Token of a user in system:masters. */
  readonly token: string
  /** Token of another user, `greedy` or `modest`. */
  userToken(name: string): string
  /** Process ids of kube-apiserver and etcd. */
  readonly pids: readonly number[]
  /** Start time in milliseconds. */
  readonly started: number
  close(): Promise<void>
}

/**
 * Starts kube-apiserver on etcd with their default durability settings. Built from the Go module proxy on first use.
 */
export async function startKubeApiserver(): Promise<KubeApiserver> {
  const programs = [await programOf(etcd), await programOf(kubeApiserver)]
  const directory = mkdtempSync(join(tmpdir(), 'hykube-peer-'))
  const begun = performance.now()
  const [client, peer, secure] = await Promise.all([freePort(), freePort(), freePort()])
  const store = start(programs[0]!, etcdFlags(directory, client!, peer!), directory, 'etcd')
  const tokens = ['admin', 'greedy', 'modest'].map((name) => `${tokenOf(name)},${name},${name},system:masters\n`)
  writeFileSync(join(directory, 'tokens.csv'), tokens.join(''))
  writeFileSync(join(directory, 'sa.key'), signingKey())
  const server = start(programs[1]!, apiserverFlags(directory, client!, secure!), directory, 'kube-apiserver')
  const url = `https://127.0.0.1:${secure}`
  while (!(await isReady(url))) {
    if (server.exitCode !== null || store.exitCode !== null)
      throw new Error(`kube-apiserver exited before it was ready; see the logs in ${directory}`)
    await sleep(50)
  }
  return {
    name: 'kube-apiserver',
    url,
    token: tokenOf('admin'),
    userToken: tokenOf,
    pids: [server.pid!, store.pid!],
    started: performance.now() - begun,
    close: async () => {
      for (const child of [server, store]) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function tokenOf(name: string): string {
  return `${name}-token`
}

async function programOf(part: Parameters<typeof obtainOnDemand>[0]): Promise<string> {
  const state = await obtainOnDemand(part, () => process.stderr.write(`obtaining ${part.description} (once)\n`))
  if (state.kind === 'missing') throw new Error(`cannot compare with ${part.name}: ${state.why}; ${state.remedy}`)
  return state.path
}

function start(program: string, flags: readonly string[], directory: string, name: string): ChildProcess {
  const log = openSync(join(directory, `${name}.log`), 'w')
  return spawn(program, flags, { stdio: ['ignore', log, log], cwd: directory })
}

function etcdFlags(directory: string, client: number, peer: number): string[] {
  return [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
    '--quota-backend-bytes=8589934592',
    '--log-level=warn',
  ]
}

function apiserverFlags(directory: string, store: number, port: number): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${store}`,
    `--cert-dir=${join(directory, 'certificates')}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--service-account-key-file=${join(directory, 'sa.key')}`,
    `--service-account-signing-key-file=${join(directory, 'sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    '--authorization-mode=RBAC',
    `--token-auth-file=${join(directory, 'tokens.csv')}`,
    '--disable-admission-plugins=ServiceAccount',
    // The load is one user with 64 concurrent requests; flow control must not limit it.
    '--max-requests-inflight=4000',
    '--max-mutating-requests-inflight=2000',
  ]
}

function signingKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }) as string
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer().once('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as AddressInfo
      listener.close(() => resolve(port))
    })
  })
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${tokenOf('admin')}` }
    const sent = request(`${url}/readyz`, { rejectUnauthorized: false, headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    sent.on('error', () => resolve(false))
    sent.end()
  })
}
