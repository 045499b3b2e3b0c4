import { describe, expect, test } from 'vitest'
import { policyProblems, settingsOf, settingsOfMode } from './settings.ts'

const now = Date.parse('2026-11-18T12:00:00Z')

describe('the settings of a policy', () => {
  test('have the documented defaults', () => {
    expect(settingsOfMode('Detect')).toMatchObject({
      mode: 'Detect',
      triggers: new Set(['Edit', 'Drift']),
      every: 3_600_000,
      settle: 30_000,
      windows: [],
      limits: { changes: 100, deletes: 0, replaces: 0 },
      suspend: false,
    })
  })

  test('keep default limits beside those that are given', () => {
    const { limits } = settingsOf({ spec: { mode: 'Reconcile', limits: { deletes: 5, perMinute: 10 } } })
    expect(limits).toEqual({ changes: 100, deletes: 5, replaces: 0, perMinute: 10 })
  })
})

describe('the spec of a policy', () => {
  const window = (more: object) => ({ windows: [{ cron: '0 2 * * *', for: '1h', ...more }] })

  test.each([
    ['nothing but a mode', {}, []],
    ['a selector that is no selector', { selector: { matchLabels: { 'a b': 'x' } } }, ['spec.selector']],
    ['a duration without unit', { every: '90' }, ['spec.every']],
    ['checks more often than once a minute', { every: '59s' }, ['spec.every']],
    ['a negative settle time', { settle: '-1s' }, ['spec.settle']],
    ['checks every other year', { every: '20000h' }, ['spec.every']],
    ['an unreadable cron expression', window({ cron: '99 * * * *' }), ['spec.windows[0].cron']],
    ['an unknown time zone', window({ timezone: 'Berlin' }), ['spec.windows[0].timezone']],
    ['an unreadable window length', window({ for: 'long' }), ['spec.windows[0].for']],
    [
      'windows that overlap',
      { windows: [...window({ for: '2h' }).windows, ...window({ cron: '0 3 * * *' }).windows] },
      ['spec.windows[1]'],
    ],
    ['more deletes than changes', { limits: { changes: 5, deletes: 6 } }, ['spec.limits.deletes']],
    ['more replaces than the default of changes', { limits: { replaces: 101 } }, ['spec.limits.replaces']],
    ['several problems', { every: '1s', settle: 'x' }, ['spec.every', 'spec.settle']],
  ])('%s', (_, spec, fields) => {
    expect(policyProblems({ spec: { mode: 'Detect', ...spec } }, now).map(({ field }) => field)).toEqual(fields)
  })
})
