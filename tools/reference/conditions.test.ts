import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { changeResults, planPhases, providerReasons, resourceReasons } from './conditions.ts'

const server = join(root, 'packages/server/src')
const read = (path: string) => readFileSync(join(server, path), 'utf8')

function sources(folder: string): string {
  const names = readdirSync(join(server, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return names.map((name) => read(`${folder}/${name}`)).join('\n')
}

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].sort()
}

const sorted = (meanings: object) => Object.keys(meanings).sort()

test('explains exactly the reasons that the engine and new objects use', () => {
  const given = found(sources('engine'), /reason: '([A-Z]\w+)'/g).filter(
    (name) => !name.startsWith('FieldValue') && !(name in providerReasons),
  )
  const first = found(read('provider/translate/conditions.ts'), /condition\('\w+', '\w+', '(\w+)'/g)
  expect(sorted(resourceReasons)).toEqual([...new Set([...given, ...first])].sort())
})

test('explains every Provider reason that is not a package failure', () => {
  const told = found(read('engine/served-providers.ts'), /condition\('\w+', 'True', '(\w+)'/g)
  const first = found(read('provider/objects/provider-type.ts'), /reason: '(\w+)'/g)
  const other = found(read('engine/served-providers.ts'), /\? reason : '(\w+)'/g)
  const leaving = found(read('engine/leaving-providers.ts'), /reason: '(\w+)'/g)
  expect(sorted(providerReasons)).toEqual([...new Set([...told, ...first, ...other, ...leaving])].sort())
})

test('the page on packages lists every reason of package and provider failures', () => {
  const page = readFileSync(join(root, 'docs/provider-packages.md'), 'utf8')
  for (const file of ['provider/install/install-failure.ts', 'provider/process/provider-failure.ts'])
    for (const reason of found(read(file), /^ {2}'([A-Z]\w+)',$/gm)) expect(page).toContain(`| ${reason} |`)
})

test('explains exactly the phases of a plan', () => {
  const [, phases = ''] = /type PlanPhase =([\s\S]*?)\n\n/.exec(read('engine/plan-status.ts')) ?? []
  expect(sorted(planPhases)).toEqual(found(phases, /'(\w+)'/g))
})

test('explains exactly the results of a change', () => {
  const [, results = ''] = /readonly result: ([^\n]+)/.exec(read('plan/change-record.ts')) ?? []
  expect(sorted(changeResults)).toEqual(found(results, /'(\w+)'/g))
})
