import {
  type DeleteOperation,
  type DeleteRangeOperation,
  type Group,
  maximumValueBytes,
  type Operation,
  type PutOperation,
  type Tag,
} from './contract.ts'
import { compareKeys } from './key.ts'
import { compileRange } from './key-range.ts'
import type { SpaceTable } from './space-table.ts'
import { StorageError } from './storage-error.ts'

/**
 * Validates everything about a group that does not depend on stored data: spaces, segments, sizes, tags, stamps, range
 * deletes only in spaces without history, no key written twice.
 */
export function checkGroup(table: SpaceTable, group: Group): void {
  const { operations, conditions } = group
  for (let at = 0; at < operations.length; at++) checkOperation(table, operations[at]!)
  if (operations.length > few) refuseTwice(operations)
  else refuseSame(operations)
  if (conditions !== undefined) for (const condition of conditions) table.of(condition.key)
}

function checkOperation(table: SpaceTable, operation: Operation): void {
  if (operation.kind === 'delete-range') checkDeleteRange(table, operation)
  else checkWrite(table, operation)
}

function checkWrite(table: SpaceTable, operation: PutOperation | DeleteOperation): void {
  const space = table.of(operation.key)
  const { value, stamp, tag } = operation
  const { largest = maximumValueBytes } = space
  if (value !== undefined && value.length > largest) {
    throw new StorageError(
      'too-large',
      `cannot store a value of ${value.length} bytes in ${space.name}: at most ${largest} are allowed`,
    )
  }
  if (stamp !== undefined && !isWithin(stamp, value?.length ?? 0)) {
    throw new StorageError('invalid', `cannot stamp a value of ${value?.length ?? 0} bytes at ${stamp}`)
  }
  if (tag !== undefined && !isWithin(tag, largestTag))
    throw new StorageError('invalid', `cannot tag a value with ${tag}`)
}

function checkDeleteRange(table: SpaceTable, { range }: DeleteRangeOperation): void {
  compileRange(table, range)
  if (table.named(range.space).history) {
    throw new StorageError(
      'invalid',
      `cannot delete a range in space ${range.space}: it keeps history; delete each key`,
    )
  }
}

// Two writes of one key in a group are always a caller's mistake.
function refuseTwice(operations: readonly Operation[]): void {
  const seen = new Set<string>()
  for (const operation of operations) {
    if (operation.kind === 'delete-range') continue
    const { key } = operation
    const text = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
    if (seen.has(text)) throw twice()
    seen.add(text)
  }
}

// The same check for a few operations: comparing lengths first rejects most pairs.
function refuseSame(operations: readonly Operation[]): void {
  for (let at = 1; at < operations.length; at++) {
    const one = operations[at]!
    if (one.kind === 'delete-range') continue
    for (let before = 0; before < at; before++) {
      const other = operations[before]!
      if (other.kind === 'delete-range' || other.key.length !== one.key.length) continue
      if (compareKeys(other.key, one.key) === 0) throw twice()
    }
  }
}

const few = 8

function twice(): StorageError {
  return new StorageError('invalid', 'cannot write a key twice in one group')
}

const largestTag: Tag = 2 ** 31 - 1

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most
}
