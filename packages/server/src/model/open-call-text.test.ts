import { expect, test } from 'vitest'
import { openCallText } from './open-call-text.ts'

test.each([
  ['sim_network.main', 'hykube resolve sim_network.main -n shop'],
  ['sim_bucket.b["eu"]', `hykube resolve 'sim_bucket.b["eu"]' -n shop`],
])('names the command that decides the outcome of %s', (address, command) => {
  expect(openCallText('"p"', address, 'shop')).toContain(`run "${command}"`)
})
