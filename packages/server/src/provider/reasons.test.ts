import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installReasons } from './install/install-failure.ts'
import { providerFailureReasons } from './process/provider-failure.ts'

test('the manual lists every reason, and no other', () => {
  const manual = readFileSync(new URL('../../../../docs/provider-packages.md', import.meta.url), 'utf8')
  const reasons = [...manual.slice(manual.indexOf('## Reasons')).matchAll(/^\| ([A-Z]\w+) \|/gm)].map(
    ([, name]) => name,
  )
  expect(reasons).toEqual([...installReasons, ...providerFailureReasons])
})
