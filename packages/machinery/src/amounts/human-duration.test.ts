import { expect, it } from 'vitest'
import { ageOf, humanDuration } from './human-duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

it.each([
  [-5 * second, '<invalid>'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 59 * second, '9m59s'],
  [10 * minute + second, '10m'],
  [179 * minute, '179m'],
  [3 * hour + 5 * minute, '3h5m'],
  [47 * hour, '47h'],
  [2 * day + hour, '2d1h'],
  [8 * day + hour, '8d'],
  [730 * day, '2y'],
  [740 * day, '2y10d'],
  [3000 * day, '8y'],
])('%d milliseconds are %s', (duration, text) => {
  expect(humanDuration(duration)).toBe(text)
})

it('returns <unknown> without a timestamp', () => {
  expect(ageOf(null, 0)).toBe('<unknown>')
})
