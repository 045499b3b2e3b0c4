import type { IForbiddenRuleType } from 'dependency-cruiser'
import { type Architecture, type Room, roomsOf } from './table.ts'

/** Derives the dependency-cruiser rules from the table. Every rule comment states the remedy. */
export function rulesFrom(architecture: Architecture): IForbiddenRuleType[] {
  const rooms = roomsOf(architecture)
  return [
    ...rooms.map(allowedImports),
    ...rooms.map((room) => usesOnly(room, architecture)),
    noCycles,
    byTheFrontDoor,
    notThroughYourOwnDoor,
    testsNotImported,
    outsideByTheDoor,
    everythingResolves,
  ]
}

const testFiles = '(\\.test\\.ts$|/testing/)'

function allowedImports(room: Room): IForbiddenRuleType {
  const allowed = [room.id, ...room.imports].map(pathOf)
  return {
    name: `${room.id.replace('/', '-')}-allowed-imports`,
    severity: 'error',
    comment: `${room.id} may import ${listOf(room.imports)}. Either move the code to a lower room, or declare the interface that ${room.id} needs there and let server/app pass the implementation.`,
    from: { path: `^${room.directory}/` },
    to: { path: '^(packages|providers|tools|test|bench)/', pathNot: [...allowed, 'node_modules'] },
  }
}

function usesOnly(room: Room, architecture: Architecture): IForbiddenRuleType {
  const node = room.pure ? [] : [...architecture.everywhere.node, ...(room.node ?? [])]
  const npm = room.npm ?? []
  const allowed = [
    ...node.map((name) => `^(node:)?${name}$`),
    ...npm.map((name) => `(^|/)node_modules/(@types/)?${name}/`),
  ]
  return {
    name: `${room.id.replace('/', '-')}-uses-only-what-it-declares`,
    severity: 'error',
    comment: room.pure
      ? `${room.packageName} does no I/O and has no dependencies: pass what you need as a parameter, or move the code to a room of server.`
      : `${room.id} may use ${listOf(node)} of Node and ${listOf(npm)} of npm. Add a new one to architecture.json in its own commit, with the reason.`,
    from: { path: `^${room.directory}/`, pathNot: testFiles },
    to: {
      dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
      pathNot: allowed,
    },
  }
}

const noCycles: IForbiddenRuleType = {
  name: 'no-cycles',
  severity: 'error',
  comment: 'Modules must not import each other. Move the shared code to a separate file.',
  from: {},
  to: { circular: true },
}

const byTheFrontDoor: IForbiddenRuleType = {
  name: 'by-the-front-door',
  severity: 'error',
  comment: 'Import another room through its index.ts. Export the name there if it is part of the interface.',
  from: { path: '^packages/([^/]+)/src/([^/]+)/' },
  to: {
    path: '^packages/[^/]+/src/[^/]+/',
    pathNot: ['^packages/$1/src/$2/', '^packages/[^/]+/src/[^/]+/(node/)?index\\.ts$', '/testing/index\\.ts$'],
  },
}

const notThroughYourOwnDoor: IForbiddenRuleType = {
  name: 'not-through-your-own-door',
  severity: 'error',
  comment: 'Inside a room, import the file itself; index.ts is for other rooms.',
  from: { path: '^packages/([^/]+)/src/([^/]+)/' },
  to: { path: '^packages/$1/src/$2/index\\.ts$' },
}

const testsNotImported: IForbiddenRuleType = {
  name: 'tests-not-imported',
  severity: 'error',
  comment: 'Only tests may import tests and testing/. Move code that the program needs out of them.',
  from: { path: '^packages/', pathNot: testFiles },
  to: { path: testFiles },
}

const outsideByTheDoor: IForbiddenRuleType = {
  name: 'outside-by-the-door',
  severity: 'error',
  comment: 'tools, test, bench and providers import packages as @hykube/<package>/<room>.',
  from: { path: '^(tools|test|bench|providers)/' },
  to: { path: '^packages/[^/]+/src/', pathNot: ['/index\\.ts$', '^packages/cli/src/main\\.ts$'] },
}

const everythingResolves: IForbiddenRuleType = {
  name: 'everything-resolves',
  severity: 'error',
  comment: 'The imported module does not exist: a wrong path, a missing .ts, or a package that package.json lacks.',
  from: {},
  to: { couldNotResolve: true },
}

function pathOf(id: string): string {
  return id.includes('/') ? `^packages/${id.replace('/', '/src/')}/` : `^packages/${id}/src/`
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ')
}
