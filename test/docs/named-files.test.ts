import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../tools/root.ts'

const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md'], { cwd: root })

test.each(pages)('%s names only test files that exist', (page) => {
  const named = readFileSync(join(root, page), 'utf8').matchAll(/`((?:test|packages)\/[^`*]+\.test\.ts)`/g)
  expect([...named].map(([, file]) => file!).filter((file) => !existsSync(join(root, file)))).toEqual([])
})
