import { describe, expect, it } from 'vitest'
import { unclearComments, unclearProse, unclearStrings } from './find-dialect.ts'

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
    expect(unclearProse('Fine.\nWhoever may read it.')).toEqual([{ line: 2, text: 'Whoever may read it.' }])
  })
})
