import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { providerReasons, resourceReasons } from './conditions.ts'

const server = join(root, 'packages/server/src')
const read = (path: string) => readFileSync(join(server, path), 'utf8')

function sources(...rooms: string[]): string {
  const files = globSync(
    rooms.map((room) => `${room}/**/*.ts`),
    { cwd: server },
  )
  return files
    .filter((name) => !name.endsWith('.test.ts'))
    .map(read)
    .join('\n')
}

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].sort()
}

const sorted = (meanings: object) => Object.keys(meanings).sort()

test('explains exactly the reasons that plans and new objects use', () => {
  const given = found(sources('plans', 'estate', 'adopting'), /reason: '([A-Z]\w+)'/g).filter(
    (name) => !name.startsWith('FieldValue') && !(name in providerReasons),
  )
  const first = found(read('provider/translate/conditions.ts'), /condition\('\w+', '\w+', '(\w+)'/g)
  expect(sorted(resourceReasons)).toEqual([...new Set([...given, ...first])].sort())
})

test('explains every Provider reason that is not a package failure', () => {
  const told = found(read('provider-kinds/served-providers.ts'), /condition\('\w+', 'True', '(\w+)'/g)
  const first = found(read('provider/objects/provider-type.ts'), /reason: '(\w+)'/g)
  const other = found(read('provider-kinds/served-providers.ts'), /\? reason : '(\w+)'/g)
  const leaving = found(read('provider-kinds/provider-deletions.ts'), /reason: '(\w+)'/g)
  expect(sorted(providerReasons)).toEqual([...new Set([...told, ...first, ...other, ...leaving])].sort())
})

test('the page on packages lists every reason of package and provider failures', () => {
  const page = readFileSync(join(root, 'docs/provider-packages.md'), 'utf8')
  for (const file of ['provider/install/install-failure.ts', 'provider/process/provider-failure.ts'])
    for (const reason of found(read(file), /^ {2}'([A-Z]\w+)',$/gm)) expect(page).toContain(`| ${reason} |`)
})
