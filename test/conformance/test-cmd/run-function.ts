import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../e2e/server.ts'
import { copySuite } from './suite.ts'

export interface FunctionResult {
  readonly name: string
  readonly kind: 'passed' | 'failed' | 'timeout'
  /** Position and message of the failure; empty when it passed. */
  readonly where: string
  readonly seconds: number
  /** Complete output. */
  readonly output: string
}

export interface FunctionOptions {
  /** Directory of the Kubernetes module. */
  readonly module: string
  readonly kubectl: string
  readonly seconds: number
}

/** Runs one function of the suite against its own server, configured like the suite's kube-apiserver. */
export async function runFunction(name: string, options: FunctionOptions): Promise<FunctionResult> {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-test-cmd-'))
  const started = performance.now()
  try {
    const suite = join(directory, 'suite')
    const home = join(directory, 'home')
    mkdirSync(home)
    copySuite(options.module, suite, options.kubectl)
    const tokens = join(directory, 'tokens.csv')
    writeFileSync(tokens, 'admin-token,admin,admin,"system:masters"\n')
    // The suite's kube-apiserver allows everything, runs controllers but no kubelet, and allocates service addresses.
    const flags = ['--store', 'memory:', '--paper-workloads', 'waiting', '--authorization-mode', 'AlwaysAllow']
    flags.push('--service-cluster-ip-range', '10.0.0.0/24')
    const server = await startServer({
      arguments: [...flags, '--token-auth-file', tokens],
      dataDirectory: join(directory, 'data'),
    })
    server.process.stderr?.resume()
    try {
      const { output, ended } = await bash(suite, options.seconds, {
        FUNCTION: name,
        HOME: home,
        KUBECONFIG: join(home, 'kubeconfig'),
        KUBE_JUNIT_REPORT_DIR: join(directory, 'junit'),
        SECURE_API_PORT: new URL(server.url).port,
        TMPDIR: temporaryDirectory(directory, server.dataDirectory),
        THIS_PLATFORM_BIN: join(suite, 'programs'),
      })
      const passed = ended === 0 && output.includes('FUNCTION PASSED')
      const kind = passed ? 'passed' : ended === 'timeout' ? 'timeout' : 'failed'
      const seconds = (performance.now() - started) / 1000
      return { name, kind, where: passed ? '' : whereItStopped(output), seconds, output }
    } finally {
      await server.end('SIGKILL')
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

// Functions read the certificate from where kube-apiserver writes it.
function temporaryDirectory(directory: string, dataDirectory: string): string {
  const temporary = join(directory, 'tmp')
  mkdirSync(temporary)
  copyFileSync(join(dataDirectory, 'server.crt'), join(temporary, 'apiserver.crt'))
  return temporary
}

interface Ended {
  readonly output: string
  readonly ended: number | 'timeout'
}

// The script and its children are one process group, so that they can be killed together.
function bash(directory: string, seconds: number, env: Record<string, string>): Promise<Ended> {
  return new Promise((done) => {
    const script = join(import.meta.dirname, 'run-function.sh')
    const { PATH } = process.env
    const child = spawn('bash', [script], { cwd: directory, env: { PATH, ...env }, detached: true })
    child.stdin.end()
    let output = ''
    let late = false
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        output += chunk
      })
    }
    const endGroup = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // The group has already ended.
      }
    }
    const timer = setTimeout(() => {
      late = true
      endGroup()
    }, seconds * 1000)
    child.once('exit', (code) => {
      clearTimeout(timer)
      endGroup()
      setImmediate(() => done({ output: withoutColours(output), ended: late ? 'timeout' : (code ?? -1) }))
    })
  })
}

const colours = new RegExp(`${String.fromCharCode(27)}(\\[[0-9;]*m|\\(B)`, 'g')

function withoutColours(text: string): string {
  return text.replaceAll(colours, '')
}

// Lines that the suite prints after every failure.
const suiteWords = /^\+\+\+|^Error when running|^FAILED TESTS|^STOPPED at|^junit/

// The suite prints FAIL! for an assertion. For a failed command, the trap in run-function.sh prints the position.
function whereItStopped(output: string): string {
  const said = output.slice(output.indexOf('Running case: test-cmd.run_only_one'))
  const lines = said.split('\n').map((line) => line.trim())
  const assertion = lines.findIndex((line) => line.endsWith('FAIL!'))
  if (assertion >= 0)
    return lines
      .slice(assertion, assertion + 4)
      .join(' ')
      .slice(0, 400)
  const stopped = lines.find((line) => line.startsWith('STOPPED at ') && !line.includes('bogus-expected-to-fail'))
  const error = lines.findLast((line) => /error|!!!/i.test(line) && !suiteWords.test(line))
  if (stopped !== undefined) return `${stopped.slice('STOPPED at '.length)} ${error ?? ''}`.slice(0, 400)
  return lines.filter((line) => line !== '').at(-1) ?? 'it said nothing'
}
