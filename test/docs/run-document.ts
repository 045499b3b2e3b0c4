import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
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

/**
 * Executes a guide as a reader would: in one shell, in a directory like a fresh clone, with a server that runs in it with the
 * guide's flags. Stops at the first step whose result differs from the guide.
 */
export async function runDocument(
  steps: readonly Step[],
  kubectl: string,
  flags: readonly string[] = [],
): Promise<StepOutput[]> {
  const clone = mkdtempSync(join(tmpdir(), 'hykube-docs-'))
  for (const name of ['bin', 'examples']) symlinkSync(join(root, name), join(clone, name))
  const server = await startServer({ dataDirectory: join(clone, 'hykube-data'), arguments: flags })
  try {
    const env = { ...process.env, HOME: clone, PATH: `${dirname(kubectl)}${delimiter}${process.env.PATH}`, CI: 'true' }
    return outputsOf(steps.length, await runShell(scriptOf(steps), clone, env))
  } finally {
    await server.end()
    rmSync(clone, { recursive: true, force: true })
  }
}

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
