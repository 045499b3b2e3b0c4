import { describe, expect, test } from 'vitest'
import { validateOwnerReferences } from './owner-references.ts'

const controllers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `${at}`, controller: true }))

describe('several controllers of one object', () => {
  test('are reported', () => {
    const [cause, ...others] = validateOwnerReferences(controllers(2), 'metadata.ownerReferences')
    expect(cause).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.ownerReferences' })
    expect(others).toEqual([])
  })

  test('are reported a few times only, because each report quotes the whole list', () => {
    expect(validateOwnerReferences(controllers(20_000), 'metadata.ownerReferences')).toHaveLength(3)
  })
})
