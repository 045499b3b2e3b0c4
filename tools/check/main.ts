import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { checkArchitecture } from '../architecture/check.ts'
import { checkLanguage } from '../language/check.ts'
import { root } from '../root.ts'

const knipOptions = ['--no-progress', '--no-config-hints']
// Production mode reads only what knip.json marks with `!`.
const withoutTests = ['--production', '--include', 'exports,files']

/** `npm run check`: types, lint and format, architecture, dead code and language, in parallel. */
const steps: readonly Step[] = [
  { name: 'types', run: () => program('typescript/bin/tsc', ['-p', '.']) },
  { name: 'lint and format', run: () => program('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']) },
  { name: 'architecture', run: architecture },
  { name: 'dead exports', run: () => program('knip/bin/knip.js', knipOptions) },
  {
    name: 'code that only its own test uses',
    run: () => program('knip/bin/knip.js', [...knipOptions, ...withoutTests]),
  },
  { name: 'language', run: language },
]

interface Step {
  readonly name: string
  readonly run: () => Promise<Outcome>
}

interface Outcome {
  readonly ok: boolean
  readonly output: string
}

const outcomes = await Promise.all(steps.map(carryOut))
process.exitCode = outcomes.every(Boolean) ? 0 : 1

async function carryOut(step: Step): Promise<boolean> {
  const started = performance.now()
  const { ok, output } = await step.run()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stderr.write(`${ok ? '✓' : '✗'} ${step.name} (${seconds} s)\n`)
  if (!ok) process.stderr.write(`${output.replace(/^/gm, '    ')}\n`)
  return ok
}

async function architecture(): Promise<Outcome> {
  const report = await checkArchitecture(root)
  return { ok: report.problems.length === 0, output: report.problems.join('\n') }
}

async function language(): Promise<Outcome> {
  const problems = checkLanguage(root)
  return { ok: problems.length === 0, output: problems.join('\n') }
}

function program(file: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', file), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const add = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.on('close', (code) => resolve({ ok: code === 0, output: stripVTControlCharacters(output) }))
  })
}
