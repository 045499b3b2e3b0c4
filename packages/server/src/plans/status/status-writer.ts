import type { EngineParts } from '../engine-parts.ts'
import type { StatusWriter } from '../planning/plan-sink.ts'
import { writeDataStatus } from './write-data-status.ts'
import { writeSettledStatus } from './write-settled-status.ts'

/** Returns the status writer of planning. */
export function statusWriter(parts: EngineParts): StatusWriter {
  return {
    data: (...facts) => writeDataStatus(parts, ...facts),
    settled: (object) => writeSettledStatus(parts, object),
  }
}
