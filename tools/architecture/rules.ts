import type { IForbiddenRuleType } from 'dependency-cruiser'
import { type Architecture, type Room, roomsOf } from './table.ts'

/** Derives the dependency-cruiser rules from the table. Every comment tells the developer what to do. */
export function rulesFrom(architecture: Architecture): IForbiddenRuleType[] {
  const rooms = roomsOf(architecture)
  return [
    ...rooms.map(looksDown),
    ...rooms.map((room) => usesOnly(room, architecture)),
    noCycles,
    byTheFrontDoor,
    notThroughYourOwnDoor,
    nobodyImportsTests,
    outsideByTheDoor,
    everythingResolves,
  ]
}

const testFiles = '(\\.test\\.ts$|/testing/)'

function looksDown(room: Room): IForbiddenRuleType {
  const allowed = [room.id, ...room.imports].map(pathOf)
  return {
    name: `${room.id.replace('/', '-')}-looks-down`,
    severity: 'error',
    comment: `${room.id} may import ${listOf(room.imports)}. Either the thing belongs in a lower room, or ${room.id} declares the small interface it needs in its own words and server/app hands it over.`,
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
      ? `${room.packageName} does no I/O and has no dependencies: take what you need as a parameter, or do this in a room of server.`
      : `${room.id} may use of Node ${listOf(node)}, of npm ${listOf(npm)}. A new one is a change of architecture.json, alone in its commit, with a line of reason.`,
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
  comment: 'Modules that import each other cannot be read one at a time. Move what both need into a file of its own.',
  from: {},
  to: { circular: true },
}

const byTheFrontDoor: IForbiddenRuleType = {
  name: 'by-the-front-door',
  severity: 'error',
  comment:
    'Another room is entered by its index.ts. Export the name there if others may use it, or ask whether you need it.',
  from: { path: '^packages/([^/]+)/src/([^/]+)/' },
  to: {
    path: '^packages/[^/]+/src/[^/]+/',
    pathNot: ['^packages/$1/src/$2/', '^packages/[^/]+/src/[^/]+/(node/)?index\\.ts$', '/testing/index\\.ts$'],
  },
}

const notThroughYourOwnDoor: IForbiddenRuleType = {
  name: 'not-through-your-own-door',
  severity: 'error',
  comment: 'Inside a room, import the file itself; the door is for others.',
  from: { path: '^packages/([^/]+)/src/([^/]+)/' },
  to: { path: '^packages/$1/src/$2/index\\.ts$' },
}

const nobodyImportsTests: IForbiddenRuleType = {
  name: 'nobody-imports-tests',
  severity: 'error',
  comment: 'Tests and testing/ are for tests. What the program needs lives outside of them.',
  from: { path: '^packages/', pathNot: testFiles },
  to: { path: testFiles },
}

const outsideByTheDoor: IForbiddenRuleType = {
  name: 'outside-by-the-door',
  severity: 'error',
  comment: 'tools, test, bench and providers use packages by their doors: @hykube/<package>/<room>.',
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
