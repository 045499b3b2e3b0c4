import { pathToText } from '@hykube/tfplugin/value'
import type { ConfigProblem } from '../expression/index.ts'
import { addressOf, blockedRecord } from './change-facts.ts'
import type { PlanContext } from './context.ts'
import type { NodeFacts } from './facts.ts'
import type { NodeOutcome } from './node-outcome.ts'

/** What is in the way of an object. */
export type Obstacle = Extract<NodeOutcome, { kind: 'blocked' | 'deferred' }>

/** Records that the whole object can't be planned, and why. */
export async function stop(context: PlanContext, node: NodeFacts, obstacle: Obstacle): Promise<NodeOutcome> {
  const place = { node: node.place, instance: undefined, part: 'object' }
  await context.sink.change(place, blockedRecord(node, addressOf(node), obstacle.kind, obstacle.message))
  return obstacle
}

/** A problem of a specification, with its place. */
export function problemText({ path, message }: ConfigProblem): string {
  return `spec${path.length === 0 ? '' : `.${pathToText(path)}`}: ${message}`
}
