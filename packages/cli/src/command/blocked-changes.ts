import type { ObjectAt } from '@hykube/runtime/client'
import { CommandError } from './failure.ts'
import { phaseOf } from './follow-plan.ts'
import type { Connection } from './host.ts'
import { changePages, type Plan } from './plan-api.ts'

/** Fails when everything in a plan is blocked. The plan was printed before. */
export function refuseBlocked(plan: Plan): void {
  if (phaseOf(plan) === 'Blocked') throw nothingToApply(plan)
}

/** Nothing of a plan can be applied. */
export function nothingToApply({ status }: Plan): CommandError {
  const { blocked = 0, deferred = 0 } = status?.summary ?? {}
  const counts = [blocked > 0 && `${blocked} blocked`, deferred > 0 && `${deferred} deferred`].filter(Boolean)
  return new CommandError(
    `Nothing can be applied: ${counts.join(', ')}.`,
    'The lines above say what is in the way. Fix that, and plan again',
  )
}

/** The blocked changes of a plan, one line each, at most ten of them. */
export async function blockedLines({ client }: Connection, at: ObjectAt, blocked: number): Promise<string[]> {
  const lines: string[] = []
  for await (const page of changePages(client, at, { action: 'blocked', limit: mostShown }))
    for (const { address, action, message = '' } of page)
      if (action === 'blocked' && lines.length < mostShown) lines.push(`${address} is blocked: ${message}`)
  return blocked > lines.length ? [...lines, `and ${blocked - lines.length} more:  hykube show ${at.name}`] : lines
}

const mostShown = 10
