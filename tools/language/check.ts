import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, unclearComments, unclearProse, unclearStrings, unclearTestNames } from './find-dialect.ts'

const isSkipped = (path: string) => /node_modules|test\/fixtures|\/dist\//.test(path)

/** Lists unclear sentences, words and test names under a root. */
export function checkLanguage(root: string): string[] {
  const sources = filesOf(root, ['{packages,providers,tools,test,bench}/**/*.ts', 'bin/*.{mjs,cjs}'])
  const program = filesOf(root, ['{packages,providers}/**/*.ts', 'bin/*.{mjs,cjs}']).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const tests = filesOf(root, ['{packages,providers,tools,test,bench}/**/*.test.ts'])
  const pages = filesOf(root, ['*.md', 'docs/**/*.md', 'examples/**/*.md'])
  return [
    ...judge('comments', findAll(root, sources, unclearComments)),
    ...judge('strings', findAll(root, program, unclearStrings)),
    ...judge('prose', findAll(root, pages, unclearProse)),
    ...judge('test names', findAll(root, tests, unclearTestNames)),
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

function judge(kind: string, found: readonly string[]): string[] {
  return found.length === 0
    ? []
    : [`${found.length} unclear ${kind} (CONTRIBUTING.md, "Language"):\n  ${found.join('\n  ')}`]
}
