import { existsSync, globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { type DoorExport, doorExports } from './doors.ts'
import { rulesFrom } from './rules.ts'
import { readArchitecture, roomsOf } from './table.ts'

/** Result of the check; each problem is a paragraph with the violation and the remedy. */
export interface ArchitectureReport {
  readonly problems: readonly string[]
  readonly modules: number
}

const guarded = ['packages', 'providers', 'tools', 'test', 'bench']

/** Compares the imports of every source file under a root with its `architecture.json`. */
export async function checkArchitecture(root: string): Promise<ArchitectureReport> {
  const architecture = readArchitecture(root)
  const result = await cruiseSources(root, rulesFrom(architecture))
  const exported = doorExports(root, roomsOf(architecture))
  const seen = result.modules.filter((module) => isSource(module.source)).length
  return {
    modules: seen,
    problems: [
      ...violations(result),
      ...unlistedRooms(root, roomsOf(architecture)),
      ...emptyRooms(root, roomsOf(architecture)),
      ...unusedExports(exported),
      ...wideDoors(exported),
      ...largeFolders(root),
      ...blindness(root, seen),
    ],
  }
}

async function cruiseSources(root: string, forbidden: ReturnType<typeof rulesFrom>): Promise<ICruiseResult> {
  const tsConfig = { fileName: join(root, 'tsconfig.json') }
  const result = await cruise(
    guarded.filter((directory) => existsSync(join(root, directory))),
    {
      baseDir: root,
      ruleSet: { forbidden },
      validate: true,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: 'test/clients|test/fixtures' },
      tsConfig,
      enhancedResolveOptions: {
        exportsFields: ['exports'],
        conditionNames: ['import', 'node', 'types', 'default'],
        extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      },
    },
    undefined,
    { tsConfig: extractTSConfig(tsConfig.fileName) },
  )
  if (typeof result.output === 'string')
    throw new Error('cannot check the architecture: dependency-cruiser returned text')
  return result.output
}

function violations(result: ICruiseResult): string[] {
  const comments = new Map(result.summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment]))
  return result.summary.violations.map(
    ({ rule, from, to }) => `${from} → ${to}\n  ${rule.name}: ${comments.get(rule.name) ?? ''}`,
  )
}

function unlistedRooms(root: string, rooms: ReturnType<typeof roomsOf>): string[] {
  const listed = new Set(rooms.map((room) => room.directory))
  return globSync('packages/*/src', { cwd: root })
    .flatMap((source) => readdirSync(join(root, source), { withFileTypes: true }).map((entry) => ({ source, entry })))
    .filter(({ entry, source }) => entry.isDirectory() && !listed.has(`${source}/${entry.name}`))
    .map(({ source, entry }) => `${source}/${entry.name}\n  unlisted-room: give it a row in architecture.json.`)
}

function emptyRooms(root: string, rooms: ReturnType<typeof roomsOf>): string[] {
  return rooms
    .filter(({ directory }) => !existsSync(join(root, directory, 'index.ts')))
    .map(({ directory }) => `${directory}\n  empty-room: it has no index.ts; remove its row from architecture.json.`)
}

function unusedExports(exported: readonly DoorExport[]): string[] {
  return exported
    .filter(({ users }) => users.length === 0)
    .map(
      ({ door, name }) =>
        `${door} exports ${name}\n  unused-export: no file outside of the room imports it; remove it.`,
    )
}

// A reader looks a room up by its door: one page of names.
const mostNames = 60

function wideDoors(exported: readonly DoorExport[]): string[] {
  return [...Map.groupBy(exported, ({ door }) => door)]
    .filter(([, names]) => names.length > mostNames)
    .map(
      ([door, names]) =>
        `${door} exports ${names.length} names\n  wide-door: ${mostNames} are allowed; split the room by meaning.`,
    )
}

// A reader finds a file of a folder at a glance.
const mostFiles = 25

function largeFolders(root: string): string[] {
  const files = globSync('{packages,providers}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  return [...Map.groupBy(files, dirname)]
    .filter(([, inside]) => inside.length > mostFiles)
    .map(
      ([folder, { length }]) =>
        `${folder} has ${length} files\n  large-folder: ${mostFiles} besides tests are allowed; group by meaning.`,
    )
}

// With an unsupported TypeScript version dependency-cruiser sees no files and reports no violations, so the number of
// files is verified.
function blindness(root: string, seen: number): string[] {
  const sources = globSync(
    guarded.map((directory) => `${directory}/**/*.ts`),
    { cwd: root, exclude: (path) => /node_modules|test\/clients|test\/fixtures/.test(String(path)) },
  ).length
  if (seen === sources) return []
  return [`dependency-cruiser saw ${seen} of ${sources} source files\n  blind: is typescript pinned to 6.0.x?`]
}

function isSource(path: string): boolean {
  return new RegExp(`^(${guarded.join('|')})/.*\\.ts$`).test(path) && !path.includes('node_modules')
}
