import type { BatchPlan } from './batch-plan.ts'
import { bigIntegers, booleans, byteArrays, integers } from './wire.ts'

/** Converts log rows to the column arrays of their statement. */
export function logColumns(rows: BatchPlan['log']): Buffer[] {
  return [
    bigIntegers(rows.map((row) => row.revision)),
    bigIntegers(rows.map((row) => row.last)),
    byteArrays(rows.map((row) => row.key)),
    integers(rows.map((row) => row.kind)),
    bigIntegers(rows.map((row) => row.previous)),
    integers(rows.map((row) => row.tag)),
    byteArrays(rows.map((row) => row.value)),
  ]
}

/** Converts the final state of keys to column arrays. */
export function currentColumns(rows: BatchPlan['current']): Buffer[] {
  return [
    byteArrays(rows.map((row) => row.key)),
    bigIntegers(rows.map((row) => row.revision)),
    booleans(rows.map((row) => row.deleted)),
  ]
}

/** Converts rows of spaces without history to column arrays. */
export function plainColumns(rows: BatchPlan['plainPuts']): Buffer[] {
  return [
    byteArrays(rows.map((row) => row.key)),
    bigIntegers(rows.map((row) => row.revision)),
    integers(rows.map((row) => row.tag)),
    byteArrays(rows.map((row) => row.value)),
  ]
}
