import { expect, test } from 'vitest'
import { KnownSecrets } from './known-secrets.ts'

const hidden = '(sensitive value)'

test('scrubs secrets of the configuration, and secrets of objects once they are added', () => {
  const secrets = new KnownSecrets(['lasting-one'])
  expect(secrets.scrubber.text('lasting-one and passing-one')).toBe(`${hidden} and passing-one`)
  secrets.addRecent(['passing-one'])
  secrets.addPermanent(['later-one'])
  expect(secrets.scrubber.text('lasting-one, passing-one, later-one')).toBe(`${hidden}, ${hidden}, ${hidden}`)
})

test('drops the oldest secrets of objects, and never those of the configuration', () => {
  const secrets = new KnownSecrets(['lasting-one'])
  secrets.addRecent(['the-first', 'the-second'])
  for (let i = 0; i < 1999; i++) secrets.addRecent([`secret-${i}-x`])
  // Adding it again makes it the newest.
  secrets.addRecent(['the-second', 'the-last'])
  expect(secrets.scrubber.text('the-first the-second the-last lasting-one')).toBe(
    `the-first ${hidden} ${hidden} ${hidden}`,
  )
})
