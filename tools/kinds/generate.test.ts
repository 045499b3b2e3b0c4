import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generateTables } from './generate.ts'
import { cachedRelease } from './modules.ts'

const release = cachedRelease()
const directory = join(import.meta.dirname, '../../packages/server/src/kinds/generated')

describe('the tables of built-in kinds', () => {
  if (typeof release === 'string') {
    it.skip(`match the output of the generator (skipped: ${release}) [needs go]`)
  } else {
    it('match the output of the generator', () => {
      for (const [name, text] of generateTables(release)) {
        expect(readFileSync(join(directory, name), 'utf8') === text, `${name} is stale: run \`npm run kinds\``).toBe(
          true,
        )
      }
    })
  }

  it('stay small', () => {
    const sizes = ['kinds.generated.ts', 'types.generated.ts'].map((name) => readFileSync(join(directory, name)).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(400_000)
  })
})
