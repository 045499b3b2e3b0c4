import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { codeBlocks, missingLine, type Step, serverFlags, stepsOf } from './code-blocks.ts'
import { type Clone, openClone, type StepOutput } from './run-document.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const guides = [
  'README.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
]
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root })
const reference = readdirSync(join(root, 'docs/reference')).map((name) => `docs/reference/${name}`)
const run = guides.filter((name) => stepsOf(read(name)).length > 0)
const allFlags = [...new Set(run.flatMap((name) => serverFlags(read(name))))]

// One server for all pages, because a reader has one too. Each page is tested alone with `npm test -- test/docs sync.md`.
describeWith(['kubectl-1.36', 'helm-4'], 'guides', (kubectl, helm) => {
  let clone: Clone | undefined
  afterAll(() => clone?.remove())

  test.each(run)(
    '%s: every command prints its output, and the last ones clean up',
    { timeout: 180_000 },
    async (name) => {
      clone ??= await openClone([kubectl, helm], allFlags)
      const { run, leftovers, reset } = clone
      try {
        const steps = stepsOf(read(name))
        expectSteps(name, steps, await run(steps))
        expect(await leftovers()).toEqual([])
        await reset()
      } catch (error) {
        // The remains of a failed page would make the next page fail too.
        await clone.remove()
        clone = undefined
        throw error
      }
    },
  )
})

function expectSteps(name: string, steps: readonly Step[], outputs: readonly StepOutput[]): void {
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
}

describe('documents', () => {
  test('the guides that are meant to be followed have commands that are run', () => {
    expect(run).toEqual(
      expect.arrayContaining(['README.md', 'docs/getting-started.md', 'docs/coming-from-terraform.md']),
    )
  })

  test.each(run)('%s: says at its head which server it expects', (name) => {
    expect(read(name).split('\n').slice(0, 40).join(' ')).toMatch(/This page expects a server/)
  })

  test.each(guides)('%s: a block that is not run says why', (name) => {
    for (const { line, language, note } of codeBlocks(read(name)))
      expect(`${line} ${language} ${note}`).not.toMatch(/ sh not run: ?$/)
  })

  test('the index of README.md leads to every page', () => {
    const seen = new Set(['README.md'])
    for (const page of seen) for (const link of linksOf(page)) if (link.endsWith('.md')) seen.add(link)
    expect(pages.filter((page) => !seen.has(page))).toEqual([])
  })

  test('examples/README.md lists every example', () => {
    const listed = [...read('examples/README.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name!)
    const present = readdirSync(join(root, 'examples'), { withFileTypes: true })
    const names = present.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    expect(listed.toSorted()).toEqual(names.map((name) => (name === 'providers' ? 'providers/notes' : name)).toSorted())
  })

  test.each([...guides, ...reference])('%s: links lead somewhere', (name) => {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !leadsSomewhere(name, link))).toEqual([])
  })
})

// The files that a page links to, relative to the root.
function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)]
    .map(([, link]) => relative(root, resolve(root, page, '..', link!)))
    .filter((path) => existsSync(join(root, path)))
}

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
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
