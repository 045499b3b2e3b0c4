import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printable } from '../../render/index.ts'
import { documentText } from './output.ts'

const hostile = fc.string({ unit: 'binary' }).map((text) => `${text}\u001b[31m\u202e\u009b${text}\r`)

test('a document is still the same after it was made printable, as JSON and as YAML', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), async (given) => {
      const document = { ...given }
      expect(JSON.parse(printable(await documentText(document, 'json'), false))).toEqual(document)
      expect(parse(printable(await documentText(document, 'yaml'), false))).toEqual(document)
    }),
    { numRuns: 300 },
  )
})
