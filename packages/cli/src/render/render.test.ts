import type { PlanChange, PlanProgress } from '@hykube/machinery/plan-api'
import { describe, expect, test } from 'vitest'
import { renderChange } from './change.ts'
import { LiveView } from './live-view.ts'
import { renderPlan, summaryLine } from './plan.ts'
import { progressLines } from './progress.ts'
import { StepLog, stepText } from './steps.ts'
import { createStyle } from './style.ts'
import { renderTable } from './table.ts'

const plain = createStyle(false)
const base = { address: 'sim_bucket.files', type: 'sim_bucket', namespace: 'default', name: 'files' } as const

describe('a change', () => {
  test('of lists shows the neighbours of what changes', () => {
    const before = { id: 'b', zones: ['a', 'b', 'c', 'd', 'e', 'f'] }
    const after = { id: 'b', zones: ['a', 'b', 'c', 'x', 'e', 'f'] }
    expect(renderChange({ ...base, action: 'update', change: { before, after } }, plain)).toMatchInlineSnapshot(`
      "  # sim_bucket.files will be updated in-place
        ~ resource "sim_bucket" "files" {
              id    = "b"
            ~ zones = [
                  # (2 unchanged elements hidden)
                  "c",
                - "d",
                + "x",
                  "e",
                  # (1 unchanged element hidden)
              ]
          }

      "
    `)
  })

  test('of JSON in a text shows what changes inside of it', () => {
    const before = { policy: '{"Version":"1","Statement":[{"Effect":"Allow","Action":"*"}]}' }
    const after = { policy: '{"Version":"1","Statement":[{"Effect":"Deny","Action":"*"}]}' }
    expect(renderChange({ ...base, action: 'update', change: { before, after } }, plain)).toMatchInlineSnapshot(`
      "  # sim_bucket.files will be updated in-place
        ~ resource "sim_bucket" "files" {
            ~ policy = jsonencode(
                ~ {
                    ~ Statement = [
                        ~ {
                            ~ Effect = "Allow" -> "Deny"
                              # (1 unchanged attribute hidden)
                          },
                      ]
                      # (1 unchanged attribute hidden)
                  }
              )
          }

      "
    `)
  })

  test('of a sensitive value alone shows that it changes', () => {
    const change = {
      before: { id: 'd', password: null },
      after: { id: 'd', password: null },
      before_sensitive: { password: true },
      after_sensitive: { password: true },
      changed_sensitive: [{ path: ['password'], action: 'update' as const }],
    }
    const text = renderChange({ ...base, action: 'update', change }, plain)
    expect(text).toContain('~ password = (sensitive value)\n')
    const replaced = { ...change, replace_paths: [['password']] }
    expect(renderChange({ ...base, action: 'replace', order: 'delete-first', change: replaced }, plain)).toContain(
      '~ password = (sensitive value) # forces replacement',
    )
    const other = { ...change, after: { id: 'e', password: null }, changed_sensitive: [] }
    expect(renderChange({ ...base, action: 'update', change: other }, plain)).not.toContain('(sensitive value)')
  })

  test('of what comes or goes shows the sensitive values that are set, and no others', () => {
    const values = { id: 'd', password: null, token: null }
    const mask = { password: true, token: true }
    const created = {
      before: null,
      after: values,
      before_sensitive: false,
      after_sensitive: mask,
      changed_sensitive: [{ path: ['password'], action: 'create' as const }],
    }
    const text = renderChange({ ...base, action: 'create', change: created }, plain)
    expect(text).toContain('+ password = (sensitive value)')
    expect(text).not.toContain('token')
    expect(text).not.toContain('hidden')
  })

  test.each([
    [
      { action: 'blocked', message: 'sim_network.gone does not exist' },
      /is blocked\n {2}# \(sim_network.gone does not exist\)\n\n$/,
    ],
    [{ action: 'deferred', message: 'count is not known yet' }, /was deferred\n {2}# \(count is not known yet\)/],
    [
      { action: 'delete', reason: 'delete_because_count_index' },
      /will be destroyed\n {2}# \(because its index is out of the range of count\)/,
    ],
    [{ action: 'replace', reason: 'replace_by_request' }, /will be replaced, as requested/],
    [{ action: 'replace', reason: 'replace_because_tainted' }, /is tainted, so it must be replaced/],
    [{ action: 'import', importing: { id: 'b-1' } }, /will be imported\n {2}# \(imported from "b-1"\)/],
    [{ action: 'forget' }, /will no longer be managed by Hykube, but will not be destroyed/],
    [{ action: 'delete', deposed: '0a1b' }, /\(deposed object 0a1b\) will be destroyed/],
  ] as [Partial<PlanChange>, RegExp][])('%j says why', (facts, expected) => {
    expect(renderChange({ ...base, action: 'create', ...facts } as PlanChange, plain)).toMatch(expected)
  })

  test('has the colours of Terraform', () => {
    const text = renderChange(
      { ...base, action: 'update', change: { before: { a: 1 }, after: { a: 2 } } },
      createStyle(true),
    )
    expect(text).toContain('\u001B[33m~\u001B[39m a = 1 \u001B[33m->\u001B[39m 2')
  })
})

test('a plan shows the warning that a type is deprecated once, and errors and warnings about fields each time', async () => {
  const old = { severity: 'warning', summary: 'Deprecated Resource', detail: 'use sim_bucket' } as const
  const field = { severity: 'warning', summary: 'Deprecated', field: 'spec.acl' } as const
  const error = { severity: 'error', summary: 'Wrong' } as const
  const diagnostics = [old, field, error]
  async function* pages() {
    yield [{ ...base, action: 'create' as const, diagnostics }]
    yield [
      { ...base, action: 'create' as const, diagnostics },
      { ...base, type: 'b', action: 'create' as const, diagnostics },
    ]
  }
  let text = ''
  for await (const piece of renderPlan(pages(), { summary: { create: 3 }, style: plain })) text += piece
  const count = (part: string) => text.split(part).length - 1
  expect([count('Deprecated Resource'), count('spec.acl'), count('Wrong')]).toEqual([2, 3, 3])
})

test('a plan is written change by change, however long it is', async () => {
  const one: PlanChange = { ...base, action: 'create', change: { after: { name: 'x' } } }
  async function* pages() {
    for (let page = 0; page < 100; page++) yield Array.from({ length: 100 }, () => one)
  }
  let pieces = 0
  let longest = 0
  for await (const piece of renderPlan(pages(), { summary: { create: 10_000 }, style: plain })) {
    pieces++
    longest = Math.max(longest, piece.length)
  }
  // Never more than one change at a time.
  expect({ pieces, isSmall: longest < 400 }).toEqual({ pieces: 10_003, isSmall: true })
})

test.each([
  [{}, 'No changes.'],
  [{ noop: 4 }, 'No changes.'],
  [{ create: 2, replace: 1 }, 'Plan: 3 to add, 0 to change, 1 to destroy.'],
  [{ replace: 2, kept: 1 }, 'Plan: 2 to add, 0 to change, 1 to destroy.'],
  [{ blocked: 1 }, 'Plan: 1 blocked, 0 to add, 0 to change, 0 to destroy.'],
  [{ import: 2, create: 1 }, 'Plan: 2 to import, 1 to add, 0 to change, 0 to destroy.'],
])('%j comes to %s', (summary, line) => expect(summaryLine(summary, plain)).toBe(line))

describe('progress', () => {
  const now = Date.parse('2026-01-01T00:01:00Z')
  const progress: PlanProgress = {
    total: 60,
    done: 21,
    failed: 1,
    running: [
      { address: 'sim_instance.web[3]', action: 'update', since: '2026-01-01T00:00:57Z' },
      {
        address: 'sim_database.a-name-that-is-much-too-long-for-any-terminal-of-eighty-columns',
        action: 'create',
        since: '2026-01-01T00:00:18Z',
      },
    ],
  }
  const telling = { title: 'Applying friday', startedAt: now - 42_000, now, style: plain }

  test('in 80 columns', () => {
    expect(progressLines(progress, { ...telling, columns: 80 }).join('\n')).toMatchInlineSnapshot(`
      "Applying friday  ━━━━━━━━─────────────────  21/60  1 failed  42s, about 78s left
        sim_database.a-name-that-is-much-too-long-for-any-termina…   creating 42s
        sim_instance.web[3]                                          modifying 3s"
    `)
  })

  test('in 160 columns', () => {
    expect(progressLines(progress, { ...telling, columns: 160 }).join('\n')).toMatchInlineSnapshot(`
      "Applying friday  ━━━━━━━━━━━━━━──────────────────────────  21/60  1 failed  42s, about 78s left
        sim_database.a-name-that-is-much-too-long-for-any-terminal-of-eighty-columns   creating 42s
        sim_instance.web[3]                                                            modifying 3s"
    `)
  })

  test.each([40, 80, 160])('no line is wider than %i columns', (columns) => {
    for (const line of progressLines(progress, { ...telling, columns }))
      expect([...line].length).toBeLessThanOrEqual(columns)
  })
})

describe('the steps of an apply', () => {
  const running = (address: string) => ({ address, action: 'create' as const, since: '2026-01-01T00:00:00Z' })
  const ended = (address: string, more: object = {}) => ({
    ...{ address, action: 'create' as const, result: 'applied' as const, seconds: 2 },
    ...more,
  })
  const progress = (now: object) => ({ total: 3, done: 0, failed: 0, running: [], recent: [], ended: 0, ...now })
  const lines = (log: StepLog, now: object | undefined, time: number) =>
    log.next(now === undefined ? undefined : progress(now), time).map(stepText)

  test('are reported when they begin, every ten seconds, and when they end', () => {
    const log = new StepLog()
    expect(lines(log, { running: [running('a.b')] }, 1000)).toEqual(['a.b: Creating...'])
    expect(lines(log, undefined, 10_999)).toEqual([])
    expect(lines(log, undefined, 11_000)).toEqual(['a.b: Still creating... [10s elapsed]'])
    expect(lines(log, undefined, 12_000)).toEqual([])
    expect(lines(log, undefined, 71_000)).toEqual(['a.b: Still creating... [1m10s elapsed]'])
    const done = { ended: 1, recent: [ended('a.b', { seconds: 75, id: 'i-1' })] }
    expect(lines(log, done, 76_000)).toEqual(['a.b: Creation complete after 1m15s [id=i-1]'])
    expect(lines(log, done, 90_000)).toEqual([])
  })

  test('begin and end at once if they end before they are seen, and those beyond the report are counted', () => {
    const log = new StepLog()
    const recent = [ended('a.b'), ended('a.c', { action: 'delete', result: 'failed' })]
    expect(lines(log, { ended: 7, recent }, 0)).toEqual([
      'a.b: Creating...',
      'a.b: Creation complete after 2s',
      'a.c: Destroying...',
      'a.c: Destruction failed after 2s',
      '5 more steps complete',
    ])
  })

  test('are counted anew when another server continues the plan', () => {
    const log = new StepLog()
    lines(log, { ended: 2, recent: [ended('a.b'), ended('a.c')] }, 0)
    expect(lines(log, { ended: 1, recent: [ended('a.d')] }, 0)).toContain('a.d: Creation complete after 2s')
  })
})

test('a live view leaves what is said above it', () => {
  let written = ''
  const view = new LiveView(
    (text) => {
      written += text
    },
    (lines) => {
      written += `<${lines} up>`
    },
  )
  view.draw(['one', 'two'])
  view.above('said\n')
  view.clear()
  expect(written).toBe('one\ntwo\n<2 up>said\none\ntwo\n<2 up>')
})

test('the columns of a table move together where that lets everything be seen', () => {
  expect(renderTable(['NAME', 'PHASE', 'AGE'], [['friday', 'Applied', '3s']], 19)).toBe(
    'NAME   PHASE   AGE\nfriday Applied 3s\n',
  )
})

test('a table is aligned and cut at the width of the terminal', () => {
  expect(
    renderTable(
      ['NAME', 'PHASE'],
      [
        ['friday', 'Applied'],
        ['a', 'PartiallyApplied'],
      ],
      20,
    ),
  ).toBe('NAME     PHASE\nfriday   Applied\na        PartiallyA…\n')
})
