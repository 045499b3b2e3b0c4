import { isAbortError } from '@hykube/machinery/base'
import { expect, test } from 'vitest'
import { Departures } from './departure.ts'

test('a signal that somebody took aborts when the client leaves', () => {
  const departure = new Departures().begin()
  const { signal } = departure
  expect(signal.aborted).toBe(false)
  departure.leave()
  expect(signal.aborted).toBe(true)
  expect(isAbortError(signal.reason)).toBe(true)
})

test('a signal taken after the client left is aborted already', () => {
  const departure = new Departures().begin()
  departure.leave()
  expect(departure.signal.aborted).toBe(true)
})

test('when the server stops everybody leaves, also who comes then', () => {
  const departures = new Departures()
  const early = departures.begin()
  departures.stop()
  expect(early.signal.aborted).toBe(true)
  expect(departures.begin().signal.aborted).toBe(true)
})
