import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TestModule, Vitest } from 'vitest/node'
import { startVitest } from 'vitest/node'
import { obtainRealParts } from '../../test/real-parts/obtain.ts'
import type { MissingPart, PartState } from '../../test/real-parts/part.ts'
import { root } from '../root.ts'

/**
 * `npm test [-- <path or name>…]`: checks the source, obtains the real parts that are quick to get, runs all tests that
 * this machine can run, lists missing parts and failures, and ends with `N passed, N failed, N skipped`. With `--changed`
 * only the tests that import a file with uncommitted changes run.
 */
const { values: options, positionals: narrow } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
  },
})
const isWhole = narrow.length === 0 && !options.changed

refuseMissing(narrow)
const checked = !isWhole || check()
const parts = await obtainRealParts({
  full: options.full,
  onObtain: ({ description }) => process.stderr.write(`obtaining ${description} (once)\n`),
})
handOver(parts)
const vitest = await runTests()
const counts = countTests(vitest.state.getTestModules())
const failures = [
  ...counts.failures,
  ...vitest.state.getUnhandledErrors().map((error) => `outside of a test: ${messageOf(error)}`),
]
await vitest.close()

tellMissing(parts, counts.skippedNames)
tellFailed(failures)
const failed = failures.length + (checked ? 0 : 1)
if (counts.passed + failed === 0 && options.changed) process.stderr.write('no test covers what changed\n')
else if (counts.passed + failed === 0) process.stderr.write(`no test matches ${narrow.join(', ')}\n`)
console.log(`${counts.passed} passed, ${failed} failed, ${counts.skippedNames.length} skipped`)
// Handles that a test left open must not keep the process alive.
process.exit(failed === 0 && (counts.passed > 0 || options.changed) ? 0 : 1)

// A path that does not exist would be taken for a test name that matches nothing.
function refuseMissing(words: readonly string[]): void {
  const missing = words.filter((word) => /^(packages|providers|test|tools)\/|\.ts$/.test(word) && !isPath(word))
  if (missing.length === 0) return
  process.stderr.write(`no such file or directory: ${missing.join(', ')}\n`)
  process.exit(1)
}

// Tests inside packages may not import test/real-parts, so the locations are passed in the environment.
function handOver(states: readonly PartState[]): void {
  const postgres = states.find(({ name }) => name === 'postgres')
  if (postgres?.kind === 'available') process.env.HYKUBE_POSTGRES = postgres.path
}

function check(): boolean {
  return spawnSync(process.execPath, [join(root, 'tools/check/main.ts')], { cwd: root, stdio: 'inherit' }).status === 0
}

async function runTests(): Promise<Vitest> {
  const paths = narrow.filter(isPath)
  const names = narrow.filter((word) => !isPath(word))
  return startVitest('test', paths, {
    root,
    run: true,
    watch: false,
    passWithNoTests: options.changed,
    ...(options.changed ? { changed: true } : {}),
    ...(names.length === 0 ? {} : { testNamePattern: names.join('|') }),
    ...(options.coverage ? { coverage: { enabled: true } } : {}),
  })
}

function isPath(word: string): boolean {
  return (
    existsSync(join(root, word)) ||
    globSync(`{packages,providers,tools,test}/**/*${word}*.test.ts`, { cwd: root }).length > 0
  )
}

interface Counts {
  passed: number
  /** The name and first error of each failed test, suite or file. */
  readonly failures: string[]
  readonly skippedNames: string[]
}

function countTests(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failures: [], skippedNames: [] }
  const addFailures = (name: string, errors: readonly { readonly message: string }[]) => {
    for (const { message } of errors) counts.failures.push(`${name}: ${message.slice(0, 500)}`)
  }
  for (const module of modules) {
    // Errors outside of tests, such as in hooks, would otherwise appear only as skipped tests.
    addFailures(module.relativeModuleId, module.errors())
    for (const suite of module.children.allSuites())
      addFailures(`${module.relativeModuleId} > ${suite.fullName}`, suite.errors())
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result()
      const name = `${module.relativeModuleId} > ${test.fullName}`
      if (state === 'passed') counts.passed++
      else if (state === 'failed') addFailures(name, errors.length > 0 ? errors.slice(0, 1) : [{ message: 'failed' }])
      else if (isWhole) counts.skippedNames.push(test.fullName)
    }
  }
  return counts
}

// A log may be cut at its beginning, so the failures are repeated at its end.
function tellFailed(failures: readonly string[]): void {
  for (const failure of failures) process.stderr.write(`failed: ${failure}\n`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error)
}

function tellMissing(states: readonly PartState[], skipped: readonly string[]): void {
  const missing = states.filter((state): state is MissingPart => state.kind === 'missing')
  if (missing.length > 0) process.stderr.write('\nReal parts that could not be had here:\n')
  for (const { name, why, remedy } of missing) {
    const count = skipped.filter((test) =>
      test
        .match(/\[needs ([^\]]*)\]/)?.[1]
        ?.split(', ')
        .includes(name),
    ).length
    process.stderr.write(`  ${name}: ${why} (to have it: ${remedy}); ${count} tests did not run\n`)
  }
  const unexplained = skipped.filter((test) => !test.includes('[needs '))
  for (const test of unexplained) process.stderr.write(`  skipped: ${test}\n`)
  process.stderr.write('\n')
}
