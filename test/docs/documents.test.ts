import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { codeBlocks, missingLine, serverFlags, stepsOf } from './code-blocks.ts'
import { runDocument } from './run-document.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const guides = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
]
const reference = readdirSync(join(root, 'docs/reference')).map((name) => `docs/reference/${name}`)
const run = guides.filter((name) => stepsOf(read(name)).length > 0)

describeWith(['kubectl-1.36'], 'guides', (kubectl) => {
  test.each(run)('%s: every command works as it is shown', { timeout: 180_000 }, async (name) => {
    const steps = stepsOf(read(name))
    const outputs = await runDocument(steps, kubectl, serverFlags(read(name)))
    for (const [index, { line, fails, shows }] of steps.entries()) {
      const { output, code } = outputs[index]!
      const place = `${name}:${line}`
      expect(code === undefined ? `${place} did not end well:\n${output}` : '').toBe('')
      expect(`${place} ended with ${code === 0 ? 'success' : 'failure'}\n${output}`).toContain(
        `ended with ${fails ? 'failure' : 'success'}`,
      )
      const missing = missingLine(shows, output)
      expect(missing === undefined ? '' : `${place} does not show ${JSON.stringify(missing)} but:\n${output}`).toBe('')
    }
  })
})

describe('documents', () => {
  test('the guides that are meant to be followed have commands that are run', () => {
    expect(run).toEqual(
      expect.arrayContaining(['README.md', 'docs/getting-started.md', 'docs/coming-from-terraform.md']),
    )
  })

  test.each(guides)('%s: a block that is not run says why', (name) => {
    for (const { line, language, note } of codeBlocks(read(name)))
      expect(`${line} ${language} ${note}`).not.toMatch(/ sh not run: ?$/)
  })

  test.each([...guides, ...reference])('%s: links lead somewhere', (name) => {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !leadsSomewhere(name, link))).toEqual([])
  })
})

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? join(root, from) : resolve(root, from, '..', path)
  if (!existsSync(file)) return false
  return heading === undefined || headingsOf(readFileSync(file, 'utf8')).includes(heading)
}

// GitHub's anchors: lower case, dashes for blanks, only letters and digits otherwise.
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
