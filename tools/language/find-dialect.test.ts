import { describe, expect, it } from 'vitest'
import { unclearComments, unclearProse, unclearStrings, unclearTestNames } from './find-dialect.ts'

describe('unclear comments', () => {
  it.each([
    ['a doc comment', '/** What is left. */\nconst a = 1', 1],
    ['a line comment', 'const a = 1 // Whether it runs', 1],
    ['a later sentence', '/** Counts retries. That one is the last. */', 1],
    ['a sentence on its second line', '// Counts retries.\n// Whoever waits is released.', 1],
    ['a clear sentence', '/** Reports whether the lease is held. */', 0],
    ['a string', "const a = 'What // Who is it'", 0],
    ['a contraction', "// That's the revision of the index.", 0],
  ])('counts %s', (_, source, count) => {
    expect(unclearComments(source)).toHaveLength(count)
  })

  it('names the line the comment starts on', () => {
    expect(unclearComments('const a = 1\n\n/** What a is. */')).toEqual([{ line: 3, text: 'What a is.' }])
  })
})

describe('unclear words', () => {
  it.each([
    ["throw new Error('nobody answered')", 1],
    ['const text = `mend $' + '{name}`', 1],
    ['// nobody reads this', 0],
    ["const text = 'is recommended'", 0],
    ["const user = 'nobody'", 0],
  ])('are found in strings: %s', (source, count) => {
    expect(unclearStrings(source)).toHaveLength(count)
  })

  it('are found in prose, with their line', () => {
    expect(unclearProse('Fine.\nThe server is told.')).toEqual([{ line: 2, text: 'The server is told.' }])
  })
})

describe('unclear openings', () => {
  it.each([
    ['a sentence', 'What is left goes.', 1],
    ['a later sentence of a paragraph', 'It runs. That\nis fine.', 1],
    ['an item', '- Who asks gets it.', 1],
    ['a cell of a table', '| a | whoever | What it does |', 2],
    ['a question', 'What is a plan?', 0],
    ['a heading', '## Who acts', 0],
    ['a code block', '```sh\nWhat now.\n```', 0],
    ['a code span', '`What` is a word.', 0],
  ])('are found in prose: %s', (_, markdown, count) => {
    expect(unclearProse(markdown)).toHaveLength(count)
  })

  it.each([
    ['test', 'what is left goes', 1],
    ['test.each([1])', 'that %s is kept', 1],
    ['describe', 'whoever asks', 1],
    ['it', 'keeps the rest', 0],
  ])('are found in names of tests: %s %s', (call, name, count) => {
    expect(unclearTestNames(`${call}('${name}', () => {})`)).toHaveLength(count)
  })
})
