import { expect, test } from 'vitest'
import { ApplyTally } from './apply-tally.ts'
import type { ChangeHeader } from './change-header.ts'

const ref = { cluster: 'root', group: 'g', resource: 'r', namespace: 'n', name: 'a' }

function replacement(fields: Partial<ChangeHeader>): ChangeHeader {
  return {
    target: { ref, instance: undefined, part: '' },
    refText: 'g/r/n/a',
    action: 'replace',
    pool: '',
    configuration: '',
    makes: true,
    destroys: true,
    createFirst: false,
    keepsOld: false,
    isUnwritten: false,
    result: undefined,
    half: undefined,
    refersTo: [],
    madeFrom: [],
    ...fields,
  }
}

function finished(header: ChangeHeader) {
  const tally = new ApplyTally([header], () => 0)
  const { phase, outcome } = tally.finished({ phase: 'Applying' }, false, '')
  return { phase, ...outcome }
}

test('counts the half of a replacement that an earlier server applied', () => {
  const partly = 'PartiallyApplied'
  const destroyed = { half: 'destroyed', result: 'failed' } as const
  expect(finished(replacement(destroyed))).toEqual({ phase: partly, added: 0, changed: 0, destroyed: 1 })
  const made = { half: 'made', result: 'failed', createFirst: true } as const
  expect(finished(replacement(made))).toEqual({ phase: partly, added: 1, changed: 0, destroyed: 0 })
  const forgotten = { ...destroyed, keepsOld: true }
  expect(finished(replacement(forgotten))).toEqual({ phase: partly, added: 0, changed: 0, destroyed: 0 })
})

test('counts both halves of an applied replacement once', () => {
  const header = replacement({ half: 'destroyed', result: 'applied' })
  expect(finished(header)).toEqual({ phase: 'Applied', added: 1, changed: 0, destroyed: 1 })
})
