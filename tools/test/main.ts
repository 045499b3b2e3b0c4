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
 * this machine can run, lists missing parts, and ends with `N passed, N failed, N skipped`.
 */
const { values: options, positionals: narrow } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false }, coverage: { type: 'boolean', default: false } },
})

refuseMissing(narrow)
const checked = narrow.length > 0 || check()
const parts = await obtainRealParts({
  full: options.full,
  onObtain: ({ description }) => process.stderr.write(`obtaining ${description} (once)\n`),
})
handOver(parts)
const vitest = await runTests()
const counts = countTests(vitest.state.getTestModules())
const unhandled = vitest.state.getUnhandledErrors().length
await vitest.close()

tellMissing(parts, counts.skippedNames)
const failed = counts.failed + (checked ? 0 : 1) + (counts.failed === 0 ? unhandled : 0)
if (counts.passed + failed === 0) process.stderr.write(`no test matches ${narrow.join(', ')}\n`)
console.log(`${counts.passed} passed, ${failed} failed, ${counts.skippedNames.length} skipped`)
// Handles that a test left open must not keep the process alive.
process.exit(failed === 0 && counts.passed > 0 ? 0 : 1)

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
    passWithNoTests: false,
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
  failed: number
  readonly skippedNames: string[]
}

function countTests(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skippedNames: [] }
  for (const module of modules) {
    // Errors outside of tests, such as in hooks, would otherwise appear only as skipped tests.
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed++
      else if (state === 'failed') counts.failed++
      else if (narrow.length === 0) counts.skippedNames.push(test.fullName)
    }
  }
  return counts
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
