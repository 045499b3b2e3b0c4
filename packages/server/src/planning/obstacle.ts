import { pathToText } from '@hykube/tfplugin/value'
import type { ConfigProblem } from '../expression/index.ts'
import type { ResourceObject } from '../model/index.ts'
import { addressOf } from '../model/index.ts'
import { blockedRecord } from './change-facts.ts'
import type { PlanContext } from './context.ts'
import type { ObjectOutcome } from './object-outcome.ts'

/** Why an object can't be planned, or not yet. */
export type Obstacle = Extract<ObjectOutcome, { kind: 'blocked' | 'deferred' }>

/** Records that a whole object is blocked or deferred. */
export async function blockObject(
  context: PlanContext,
  object: ResourceObject,
  obstacle: Obstacle,
): Promise<ObjectOutcome> {
  const target = { ref: object.ref, instance: undefined, part: 'object' }
  await context.sink.change(target, blockedRecord(object, addressOf(object), obstacle.kind, obstacle.message))
  return obstacle
}

/** Formats a problem of a spec with its path. */
export function problemText({ path, message }: ConfigProblem): string {
  return `spec${path.length === 0 ? '' : `.${pathToText(path)}`}: ${message}`
}
