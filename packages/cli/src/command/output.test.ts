import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printable } from '../render/index.ts'
import { hostileText } from '../render/testing/index.ts'
import { documentText } from './output.ts'

test('a printed document is still the same document as JSON and as YAML', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText))), async (given) => {
      const document = structuredClone({ ...given })
      expect(JSON.parse(printable(await documentText(document, 'json'), false))).toEqual(document)
      expect(parse(printable(await documentText(document, 'yaml'), false))).toEqual(document)
    }),
    { numRuns: 300 },
  )
})
