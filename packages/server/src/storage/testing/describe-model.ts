import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Group, Operation, Range, Store } from '../contract.ts'
import { openMemoryStore } from '../memory/memory-store.ts'
import { StorageError } from '../storage-error.ts'
import { changesUntil, mark, object, scanAll, secret } from './shorthand.ts'
import { type OpenForTest, testSpaces } from './store-under-test.ts'
import { TestSealer } from './test-sealer.ts'
import type { SuiteOptions } from './world.ts'

/** Any sequence of calls has the same results as the reference in memory. */
export function describeModel(open: OpenForTest, { keeps = true, modelRuns = 30 }: SuiteOptions): void {
  describe('any sequence of calls', () => {
    test('has the same results as the reference in memory', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(call(keeps), { minLength: 1, maxLength: 60 }), async (calls) => {
          const under = await open({ spaces: testSpaces, sealer: new TestSealer() })
          const model = openMemoryStore({ spaces: testSpaces })
          let store = under.store
          try {
            for (const step of calls) {
              if (step.kind === 'reopen') store = await under.reopen!()
              else expect(await perform(store, step)).toEqual(await perform(model, step))
            }
            expect(await everything(store)).toEqual(await everything(model))
          } finally {
            await model.close()
            await under.dispose()
          }
        }),
        { numRuns: modelRuns },
      )
    })
  })
}

type Call =
  | { readonly kind: 'commit'; readonly group: Group }
  | {
      readonly kind: 'get' | 'scan' | 'joined' | 'count'
      readonly range: Range
      readonly back?: number | undefined
      readonly limit: number
    }
  | { readonly kind: 'compact' | 'changes'; readonly back: number }
  | { readonly kind: 'reopen' }

const names = fc.constantFrom('a', 'b', 'a\0', '', 'ab', 'é')
const short = fc.constantFrom('x', 'y')
const key = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(names, short, short, short).map(([name, ...rest]) => object(name, ...rest)) },
  { weight: 2, arbitrary: fc.tuple(names, short).map(([name, group]) => mark(name, group)) },
  { weight: 1, arbitrary: names.map(secret) },
)
const range: fc.Arbitrary<Range> = fc.oneof(
  fc.array(fc.option(short, { nil: undefined }), { maxLength: 3 }).map((prefix) => ({ space: 'objects', prefix })),
  fc.tuple(fc.option(short, { nil: undefined }), names).map((prefix) => ({ space: 'marks', prefix })),
  fc.constantFrom({ space: 'marks' }, { space: 'secrets' }, { space: 'objects' }),
)
const expectation = fc.constantFrom('any', 'any', 'any', 'absent', 'present', -1, -2, -5)
const value = fc
  .oneof(fc.string({ maxLength: 20 }), fc.constant('x'.repeat(5000)))
  .map((content) => Buffer.from(content))
const marksRange = range.filter(({ space }) => space === 'marks')
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      key,
      value,
      tag: fc.constantFrom(0, 0, 0, 9),
      stamp: fc.constant(0),
      expect: expectation as fc.Arbitrary<'any'>,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      key,
      value,
      expect: expectation as fc.Arbitrary<'any'>,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete-range' as const), range: marksRange }) },
)
const condition = fc.record({ key, expect: expectation as fc.Arbitrary<'any'> })
const group: fc.Arbitrary<Group> = fc.record({
  operations: fc.array(operation, { minLength: 1, maxLength: 5 }),
  conditions: fc.array(condition, { maxLength: 1 }),
})

function call(keeps: boolean): fc.Arbitrary<Call> {
  const read = fc.record({
    kind: fc.constantFrom('get' as const, 'scan' as const, 'joined' as const, 'count' as const),
    range,
    back: fc.option(fc.nat(12), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 6 }),
  })
  return fc.oneof(
    { weight: 10, arbitrary: group.map((made) => ({ kind: 'commit' as const, group: made })) },
    { weight: 6, arbitrary: read },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const), back: fc.nat(10) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('changes' as const), back: fc.nat(15) }) },
    ...(keeps ? [{ weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) }] : []),
  )
}

// A negative expectation means "this many revisions ago", which exists on both sides.
function groupAt({ operations, conditions = [] }: Group, now: number): Group {
  const at = <T extends { readonly expect?: unknown }>(part: T): T =>
    typeof part.expect === 'number' ? { ...part, expect: now + 1 + part.expect } : part
  return {
    operations: operations.map((part) => (part.kind === 'delete-range' ? part : at(part))),
    conditions: conditions.map(at),
  }
}

async function perform(store: Store, step: Exclude<Call, { kind: 'reopen' }>): Promise<unknown> {
  try {
    return plain(await performed(store, step))
  } catch (error) {
    if (error instanceof StorageError) return { failure: error.failure }
    throw error
  }
}

async function performed(store: Store, step: Exclude<Call, { kind: 'reopen' }>): Promise<unknown> {
  const now = await store.now()
  switch (step.kind) {
    case 'commit':
      return store.commit(groupAt(step.group, now))
    case 'compact':
      return store.compact(Math.max(0, now - step.back))
    case 'changes':
      return changesUntil(store, Math.max(0, now - step.back), now)
    case 'count':
      return store.count(step.range)
    case 'get': {
      const name = step.range.prefix?.at(-1) ?? ''
      const wanted =
        step.range.space === 'marks'
          ? mark(name, 'x')
          : step.range.space === 'secrets'
            ? secret(name)
            : object(name, 'x', 'x', 'x')
      return store.get(wanted, step.back === undefined ? {} : { revision: Math.max(0, now - step.back) })
    }
    case 'scan':
    case 'joined': {
      const options = { limit: step.limit, ...(step.back !== undefined && { revision: Math.max(0, now - step.back) }) }
      return step.kind === 'scan' ? store.scan(step.range, options) : store.scanJoined(step.range, options)
    }
  }
}

async function everything(store: Store): Promise<unknown> {
  const spaces = [...store.spaces.keys()]
  const scans = await Promise.all(spaces.map((space) => scanAll(store, { space }, { limit: 3 })))
  const { now, compacted, keys } = await store.statistics()
  return plain({ scans, now, keys, log: await changesUntil(store, compacted, now) })
}

// Converts bytes to text, because backends return different byte classes.
function plain(answer: unknown): unknown {
  if (answer instanceof Uint8Array) return Buffer.from(answer).toString('latin1')
  if (Array.isArray(answer)) return answer.map(plain)
  if (typeof answer !== 'object' || answer === null) return answer
  const entries = Object.entries(answer).filter(([, content]) => content !== undefined)
  return Object.fromEntries(entries.map(([name, content]) => [name, plain(content)]))
}
