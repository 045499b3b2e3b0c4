import { expect, test } from 'vitest'
import { KnownSecrets } from './known-secrets.ts'

const hidden = '(sensitive value)'

test('what was configured stays a secret, and what objects hold is one as soon as it is told', () => {
  const secrets = new KnownSecrets(['lasting-one'])
  expect(secrets.scrubber.text('lasting-one and passing-one')).toBe(`${hidden} and passing-one`)
  secrets.hide(['passing-one'])
  secrets.keep(['later-one'])
  expect(secrets.scrubber.text('lasting-one, passing-one, later-one')).toBe(`${hidden}, ${hidden}, ${hidden}`)
})

test('of what objects hold the oldest are forgotten, and never what was configured', () => {
  const secrets = new KnownSecrets(['lasting-one'])
  secrets.hide(['the-first', 'the-second'])
  for (let i = 0; i < 1999; i++) secrets.hide([`secret-${i}-x`])
  // Asked about again, it is not the oldest any more.
  secrets.hide(['the-second', 'the-last'])
  expect(secrets.scrubber.text('the-first the-second the-last lasting-one')).toBe(
    `the-first ${hidden} ${hidden} ${hidden}`,
  )
})
