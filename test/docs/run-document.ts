import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { startServer } from '../e2e/server.ts'
import type { Step } from './code-blocks.ts'

const root = resolve(import.meta.dirname, '../..')

/** The result of a step of a guide. */
export interface StepOutput {
  readonly output: string
  /** Undefined if it was not reached, or exited the shell. */
  readonly code: number | undefined
}

/** A directory like a fresh clone, with a server that runs in it. */
export interface Clone {
  /**
   * Executes a guide as a reader would: in one shell, in this directory. Stops at the first step whose result differs from the
   * guide.
   */
  run(steps: readonly Step[]): Promise<StepOutput[]>
  /** Lists objects and files that were not there when the server started. Providers and plans with generated names may stay. */
  leftovers(): Promise<string[]>
  /** Deletes the Providers, so that the next guide starts without them. */
  reset(): Promise<void>
  remove(): Promise<void>
}

/** Opens a clone whose server has these flags. The programs are found on the PATH of its shells. */
export async function openClone(programs: readonly string[], flags: readonly string[]): Promise<Clone> {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-docs-'))
  for (const name of ['bin', 'examples']) symlinkSync(join(root, name), join(directory, name))
  const server = await startServer({ dataDirectory: join(directory, 'hykube-data'), arguments: flags })
  const path = [...programs.map((program) => dirname(program)), process.env.PATH].join(delimiter)
  const env = { ...process.env, HOME: directory, PATH: path, CI: 'true' }
  const shell = (script: string) => runShell(script, directory, env)
  const present = async () => [...(await shell(listing)).split('\n'), ...readdirSync(directory)]
  const before = new Set(await present())
  return {
    run: async (steps) => outputsOf(steps.length, await shell(scriptOf(steps))),
    leftovers: async () => (await present()).filter((each) => !before.has(each) && !mayStay.test(each)),
    reset: async () => void (await shell(`${kubeconfig}; kubectl delete providers --all --timeout 60s`)),
    remove: async () => {
      await server.end()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const kubeconfig = 'export KUBECONFIG=$PWD/hykube-data/admin.kubeconfig'
const columns = '--no-headers -o custom-columns=KIND:.kind,NAMESPACE:.metadata.namespace,NAME:.metadata.name'
const kinds = [
  ...['namespaces', 'clusterroles', 'clusterrolebindings', 'roles', 'rolebindings', 'serviceaccounts'],
  ...['configmaps', 'secrets', 'plans', 'resources', 'syncpolicies', 'clustersyncpolicies', 'deployments'],
]
const listing = `${kubeconfig}; kubectl get ${kinds.join(',')} -A ${columns}`
// Plans with generated names, and the caches of kubectl and Helm.
const mayStay = /^Plan +\S+ +(plan|sync)-|^\.|^Library$/

// A step that must fail runs in its own shell, because the guide continues after it.
function scriptOf(steps: readonly Step[]): string {
  const pieces = steps.map(({ commands, fails }, index) => {
    const body = fails ? `(\n${commands}\n) && { echo '${endMark}0'; exit 1; }\ncode=$?` : `${commands}\ncode=0`
    return `echo '${beginMark}${index}'\n${body}\necho '${endMark}'"$code"`
  })
  return ['set -eo pipefail', 'exec 2>&1', ...pieces].join('\n')
}

const beginMark = '<<< step '
const endMark = '>>> ended with '

function outputsOf(count: number, output: string): StepOutput[] {
  const pieces = output.split(beginMark).slice(1)
  return Array.from({ length: count }, (_, index) => {
    const piece = pieces[index]
    if (piece === undefined) return { output: '', code: undefined }
    const [said = '', end] = piece.slice(piece.indexOf('\n') + 1).split(endMark)
    return { output: said, code: end === undefined ? undefined : Number.parseInt(end, 10) }
  })
}

function runShell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, failed) => {
    const shell = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    shell.once('error', failed)
    shell.once('close', () => done(output))
  })
}
