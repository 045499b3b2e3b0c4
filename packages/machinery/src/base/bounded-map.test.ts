import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('is emptied when one entry more than the limit is set', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2)
  expect([...map.keys()]).toEqual(['a', 'b'])
  map.set('c', 3)
  expect([...map]).toEqual([['c', 3]])
})
