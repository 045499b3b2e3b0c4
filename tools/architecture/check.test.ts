import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../root.ts'
import { type ArchitectureReport, checkArchitecture } from './check.ts'

interface Planted {
  readonly reason: string
  readonly file: string
  readonly source: string
  readonly rule: string
}

const planted: readonly Planted[] = [
  {
    reason: 'machinery does no I/O',
    file: 'packages/machinery/src/base/planted-io.ts',
    source: `import { readFileSync } from 'node:fs'\nexport const read = readFileSync`,
    rule: 'machinery-base-uses-only-what-it-declares',
  },
  {
    reason: 'machinery has no dependencies',
    file: 'packages/machinery/src/base/planted-dependency.ts',
    source: `import pg from 'pg'\nexport const client = pg`,
    rule: 'machinery-base-uses-only-what-it-declares',
  },
  {
    reason: 'storage knows no Kubernetes objects',
    file: 'packages/server/src/storage/planted-object.ts',
    source: `import type { Reason } from '@hykube/machinery/status'\nexport type Planted = Reason`,
    rule: 'server-storage-allowed-imports',
  },
  {
    reason: 'the planner touches no storage',
    file: 'packages/server/src/planning/planted-storage.ts',
    source: `import type { Store } from '../storage/index.ts'\nexport type Planted = Store`,
    rule: 'server-planning-allowed-imports',
  },
  {
    reason: 'the planner starts no processes',
    file: 'packages/server/src/planning/planted-process.ts',
    source: `import { spawn } from 'node:child_process'\nexport const start = spawn`,
    rule: 'server-planning-uses-only-what-it-declares',
  },
  {
    reason: 'controllers see what a client sees',
    file: 'packages/server/src/controllers/planted-storage.ts',
    source: `import type { Store } from '../storage/index.ts'\nexport type Planted = Store`,
    rule: 'server-controllers-allowed-imports',
  },
  {
    reason: 'rooms are imported through index.ts',
    file: 'packages/server/src/resource/planted-window.ts',
    source: `import type { Key } from '../storage/key.ts'\nexport type Planted = Key`,
    rule: 'by-the-front-door',
  },
  {
    reason: 'a room does not import its own index.ts',
    file: 'packages/machinery/src/base/planted-own-door.ts',
    source: `import { systemClock } from './index.ts'\nexport const clock = systemClock`,
    rule: 'not-through-your-own-door',
  },
  {
    reason: 'the program imports no tests',
    file: 'packages/machinery/src/base/planted-test-import.ts',
    source: `export { } from './planted.test.ts'`,
    rule: 'tests-not-imported',
  },
  {
    reason: 'a room exports only names that others import',
    file: 'packages/machinery/src/base/node/index.ts',
    source: 'export const plantedName = 1',
    rule: 'unused-export',
  },
  {
    reason: 'a room exports at most 60 names',
    file: 'packages/machinery/src/json/node/index.ts',
    source: Array.from({ length: 61 }, (_, index) => `export const planted${index} = 1`).join('\n'),
    rule: 'wide-door',
  },
  {
    reason: 'every room has a row in the table',
    file: 'packages/server/src/attic/box.ts',
    source: 'export const box = 1',
    rule: 'unlisted-room',
  },
  {
    reason: 'imports have no cycles, including types',
    file: 'packages/machinery/src/base/planted-circle.ts',
    source: `import type { Other } from './planted-circle-other.ts'\nexport type Circle = Other`,
    rule: 'no-cycles',
  },
  {
    reason: 'every import resolves',
    file: 'packages/machinery/src/base/planted-nowhere.ts',
    source: `import { nothing } from './nowhere.ts'\nexport const planted = nothing`,
    rule: 'everything-resolves',
  },
]

let copy: string
let report: ArchitectureReport

beforeAll(async () => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'hykube-architecture-')))
  for (const name of ['packages', 'architecture.json', 'tsconfig.json', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  linkModules()
  for (const { file, source } of planted) plant(file, source)
  plant('packages/machinery/src/base/planted.test.ts', 'export {}')
  plant(
    'packages/machinery/src/base/planted-circle-other.ts',
    `import type { Circle } from './planted-circle.ts'\nexport type Other = Circle | 1`,
  )
  report = await checkArchitecture(copy)
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('the repository follows its own table, and every source file is checked', async () => {
  expect((await checkArchitecture(root)).problems).toEqual([])
})

test.each(planted)('$reason: a planted violation is reported by $rule', ({ file, rule }) => {
  const found = report.problems.filter((problem) => problem.includes(file) || problem.includes(dirname(file)))
  expect(found.map(ruleOf)).toContain(rule)
})

test('a room of the table that does not exist is reported', async () => {
  const file = join(copy, 'architecture.json')
  const table = JSON.parse(readFileSync(file, 'utf8'))
  table.packages.machinery.rooms.planned = { purpose: 'not written yet', imports: [] }
  writeFileSync(file, JSON.stringify(table))
  const { problems } = await checkArchitecture(copy)
  expect(problems.map(ruleOf)).toContain('empty-room')
})

test('a folder of more than 25 files besides tests is reported', async () => {
  for (let index = 0; index <= 25; index++) plant(`packages/machinery/src/status/many/file${index}.ts`, 'export {}')
  const { problems } = await checkArchitecture(copy)
  expect(problems.map(ruleOf)).toContain('large-folder')
})

test('every report states the remedy', () => {
  for (const problem of report.problems) expect(problem.split('\n')[1]).toMatch(/^ {2}[\w-]+: .{30,}/)
})

// Workspace packages are linked to the copy, everything else to the installed modules.
function linkModules(): void {
  mkdirSync(join(copy, 'node_modules/@hykube'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@hykube') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@hykube', name))
}

function plant(file: string, source: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  writeFileSync(join(copy, file), source)
}

function ruleOf(problem: string): string {
  return problem.split('\n')[1]!.trim().split(':')[0]!
}
