import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, unclearComments, unclearProse, unclearStrings } from './find-dialect.ts'

/** Upper bounds of the findings. Lower them as text is rewritten; the check asks for it. */
const bounds = { comments: 13, strings: 8, prose: 50 }

const isSkipped = (path: string) => /node_modules|test\/fixtures|\/dist\//.test(path)

/** Compares the number of unclear sentences under a root with the bounds. */
export function checkLanguage(root: string): string[] {
  const sources = filesOf(root, ['{packages,providers,tools,test,bench}/**/*.ts'])
  const program = filesOf(root, ['{packages,providers}/**/*.ts']).filter((path) => !path.endsWith('.test.ts'))
  const pages = filesOf(root, ['*.md', 'docs/**/*.md', 'examples/**/*.md'])
  return [
    ...judge('comments', findAll(root, sources, unclearComments)),
    ...judge('strings', findAll(root, program, unclearStrings)),
    ...judge('prose', findAll(root, pages, unclearProse)),
  ]
}

function filesOf(root: string, patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (path) => isSkipped(String(path)) })
    .filter((path) => !isSkipped(path))
    .sort()
}

function findAll(root: string, paths: readonly string[], find: (text: string) => Finding[]): string[] {
  return paths.flatMap((path) =>
    find(readFileSync(join(root, path), 'utf8')).map(({ line, text }) => `${path}:${line}: ${text.slice(0, 100)}`),
  )
}

function judge(kind: keyof typeof bounds, found: readonly string[]): string[] {
  const bound = bounds[kind]
  const { length } = found
  if (length > bound)
    return [`${length} unclear ${kind}, at most ${bound} (CONTRIBUTING.md, "Language"):\n  ${found.join('\n  ')}`]
  // A bound far above the count would let new ones in unnoticed.
  return length < bound - 20
    ? [`${length} unclear ${kind}: lower the bound of ${bound} in tools/language/check.ts`]
    : []
}
