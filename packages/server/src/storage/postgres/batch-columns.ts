import type { BatchPlan } from './batch-plan.ts'
import { bigIntegers, booleans, byteArrays, integers } from './wire.ts'

/** Rows of the log as the columns that their statement takes. */
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

/** The last state of keys as columns. */
export function currentColumns(rows: BatchPlan['current']): Buffer[] {
  return [
    byteArrays(rows.map((row) => row.key)),
    bigIntegers(rows.map((row) => row.revision)),
    booleans(rows.map((row) => row.deleted)),
  ]
}

/** Rows of spaces without history as columns. */
export function plainColumns(rows: BatchPlan['plainPuts']): Buffer[] {
  return [
    byteArrays(rows.map((row) => row.key)),
    bigIntegers(rows.map((row) => row.revision)),
    integers(rows.map((row) => row.tag)),
    byteArrays(rows.map((row) => row.value)),
  ]
}
