import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findOverlap, nextOpening, openUntil, Window, WindowError } from './windows.ts'

const at = (text: string) => Date.parse(text)
const shown = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())
const weekdays = new Window({ cron: '0 2 * * 1-5', for: '3h', timezone: 'Europe/Berlin' })

describe('a window', () => {
  test.each([
    ['before it opens', '2026-11-18T00:59:59Z', undefined],
    ['when it opens', '2026-11-18T01:00:00Z', '2026-11-18T04:00:00.000Z'],
    ['in its last second', '2026-11-18T03:59:59.999Z', '2026-11-18T04:00:00.000Z'],
    ['when it ends', '2026-11-18T04:00:00Z', undefined],
    ['on a day without it', '2026-11-22T02:00:00Z', undefined],
    ['in summer, an hour earlier in UTC', '2026-07-15T00:00:00Z', '2026-07-15T03:00:00.000Z'],
  ])('%s', (_, now, end) => {
    expect(shown(openUntil([weekdays], at(now)))).toBe(end)
  })

  test('opens when the clocks have skipped its hour', () => {
    const daily = new Window({ cron: '30 2 * * *', for: '1h', timezone: 'Europe/Berlin' })
    // 29 March 2026: 02:00 CET is followed by 03:00 CEST.
    expect(shown(nextOpening([daily], at('2026-03-28T12:00:00Z')))).toBe('2026-03-29T01:00:00.000Z')
    expect(shown(nextOpening([daily], at('2026-03-29T12:00:00Z')))).toBe('2026-03-30T00:30:00.000Z')
  })

  test('opens once on the day the clocks repeat its hour, and stays open for its length', () => {
    const daily = new Window({ cron: '30 2 * * *', for: '2h', timezone: 'Europe/Berlin' })
    // 25 October 2026: 03:00 CEST is followed by 02:00 CET, so 02:30 comes at 00:30Z and at 01:30Z.
    expect(shown(nextOpening([daily], at('2026-10-24T12:00:00Z')))).toBe('2026-10-25T00:30:00.000Z')
    expect(shown(nextOpening([daily], at('2026-10-25T00:30:00Z')))).toBe('2026-10-26T01:30:00.000Z')
    expect(shown(openUntil([daily], at('2026-10-25T02:29:00Z')))).toBe('2026-10-25T02:30:00.000Z')
  })

  test.each([
    ['a pattern of six fields', { cron: '0 0 2 * * *', for: '1h' }, 'cron'],
    ['no pattern', { cron: 'at night', for: '1h' }, 'cron'],
    ['a day that never comes', { cron: '0 0 30 2 *', for: '1h' }, 'cron'],
    ['an unknown time zone', { cron: '0 2 * * *', for: '1h', timezone: 'Mars/Olympus' }, 'timezone'],
    ['no length', { cron: '0 2 * * *', for: '0s' }, 'for'],
  ])('rejects %s', (_, window, field) => {
    expect(() => new Window(window)).toThrow(expect.objectContaining({ field, name: 'Error' }))
    expect(() => new Window(window)).toThrow(WindowError)
  })

  test('is open exactly from an opening until its end', () => {
    const now = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') })
    fc.assert(
      fc.property(
        now,
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
        (time, timezone) => {
          const window = new Window({ cron: '15 1,13 * * *', for: '90m', timezone })
          const span = window.next(time)!
          expect(span.end - span.start).toBe(90 * 60_000)
          expect(window.at(span.start - 1)).toBeUndefined()
          expect(window.at(span.start)).toEqual(span)
          expect(window.at(span.end - 1)).toEqual(span)
          expect(window.at(span.end)).toBeUndefined()
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('without windows it is always open', () => {
  expect(openUntil([], 0)).toBe(Number.POSITIVE_INFINITY)
})

describe('overlapping windows', () => {
  const now = at('2026-11-18T12:00:00Z')
  const daily = (hour: number, length: string, timezone = 'UTC') =>
    new Window({ cron: `0 ${hour} * * *`, for: length, timezone })

  test.each([
    ['two that touch', [daily(1, '2h'), daily(3, '2h')], undefined],
    ['two that overlap', [daily(1, '3h'), daily(3, '2h')], [0, 1]],
    ['two that overlap across time zones', [daily(2, '2h', 'Europe/Berlin'), daily(2, '1h')], [0, 1]],
    ['one that opens while it is open', [daily(1, '25h')], [0, 0]],
  ])('%s', (_, windows, overlap) => {
    expect(findOverlap(windows, now)).toEqual(overlap)
  })
})
