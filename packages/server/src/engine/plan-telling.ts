import type { EngineParts } from './engine-parts.ts'
import type { PlanTelling } from './plan-sink.ts'
import { tellData } from './tell-data.ts'
import { tellSettled } from './tell-settled.ts'

/** How a plan writes to the status of objects while it is made. */
export function planTelling(parts: EngineParts): PlanTelling {
  return {
    data: (...told) => tellData(parts, ...told),
    settled: (node) => tellSettled(parts, node),
  }
}
