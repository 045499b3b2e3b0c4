import { expect, test } from 'vitest'
import { Appetites } from './appetites.ts'

test('a user alone has no company, however little it wants', () => {
  const appetites = new Appetites(1000)
  expect(appetites.isModestInCompany('a', 1, 0)).toBe(false)
  expect(appetites.isModestInCompany('a', 1, 1500)).toBe(false)
})

test('who wants little beside somebody else is modest in company', () => {
  const appetites = new Appetites(1000)
  appetites.isModestInCompany('flood', 500, 0)
  expect(appetites.isModestInCompany('small', 1, 1)).toBe(true)
})

test('who has wanted much of late is not modest because it wants little now', () => {
  const appetites = new Appetites(1000)
  appetites.isModestInCompany('small', 1, 0)
  appetites.isModestInCompany('flood', 500, 1)
  expect(appetites.isModestInCompany('flood', 1, 2)).toBe(false)
  expect(appetites.isModestInCompany('flood', 1, 1100)).toBe(false)
})

test('who has wanted little since is modest again', () => {
  const appetites = new Appetites(1000)
  appetites.isModestInCompany('flood', 500, 0)
  for (const now of [1100, 2200]) appetites.isModestInCompany('small', 1, now)
  expect(appetites.isModestInCompany('flood', 1, 2201)).toBe(true)
})

test('company that was long ago is forgotten', () => {
  const appetites = new Appetites(1000)
  appetites.isModestInCompany('flood', 500, 0)
  expect(appetites.isModestInCompany('small', 1, 2000)).toBe(false)
})

test('company of the period before still counts', () => {
  const appetites = new Appetites(1000)
  appetites.isModestInCompany('flood', 500, 900)
  expect(appetites.isModestInCompany('small', 1, 1950)).toBe(true)
})
