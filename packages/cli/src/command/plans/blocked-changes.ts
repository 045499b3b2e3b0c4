import type { ObjectAt } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'
import type { Connection } from '../host/host.ts'
import { phaseOf } from './follow-plan.ts'
import { inNamespace } from './hint.ts'
import { changePages, type Plan } from './plan-api.ts'

/** Fails when every change of a plan is blocked. The plan was printed before. */
export function refuseBlocked(plan: Plan): void {
  if (phaseOf(plan) === 'Blocked') throw nothingToApply(plan)
}

/** The failure of a plan without changes that can be applied. */
export function nothingToApply({ spec, status }: Plan): CommandError {
  const { blocked = 0, deferred = 0 } = status?.summary ?? {}
  const counts = [blocked > 0 && `${blocked} blocked`, deferred > 0 && `${deferred} deferred`].filter(Boolean)
  if (spec?.mode === 'RefreshOnly') return new CommandError(`Drift was not checked completely: ${counts.join(', ')}.`)
  return new CommandError(
    `Nothing can be applied: ${counts.join(', ')}.`,
    'Fix the problems listed above, then plan again.',
  )
}

/** The blocked changes of a plan, one line each, at most ten. */
export async function blockedLines(connection: Connection, at: ObjectAt, blocked: number): Promise<string[]> {
  const lines: string[] = []
  for await (const page of changePages(connection.client, at, { action: 'blocked', limit: mostShown }))
    for (const { address, action, message = '' } of page)
      if (action === 'blocked' && lines.length < mostShown) lines.push(`${address} is blocked: ${message}`)
  const rest = blocked - lines.length
  if (rest <= 0) return lines
  return [...lines, `and ${rest} more:  hykube show ${at.name}${inNamespace(connection, at.namespace)}`]
}

const mostShown = 10
