import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import type { OtherPath } from '../request-path.ts'
import { text } from '../respond.ts'

/** A condition for a healthy server: resolves when it holds, rejects with the reason otherwise. */
export interface HealthCheck {
  readonly name: string
  /** Endpoints that include this check: livez (the process works) or readyz (it can serve requests). */
  readonly on: readonly ('livez' | 'readyz')[]
  readonly check: () => Promise<void>
}

/** Returns the response for `/livez`, `/readyz`, `/healthz` and their single checks, or undefined for other paths. */
export async function healthAnswer(
  checks: readonly HealthCheck[],
  context: RequestContext<OtherPath>,
): Promise<Response | undefined> {
  const [kind, name, ...rest] = context.path.segments
  if ((kind !== 'livez' && kind !== 'readyz' && kind !== 'healthz') || rest.length > 0) return undefined
  const asked = checks.filter(({ on }) => kind === 'healthz' || on.includes(kind))
  if (name !== undefined) return single(asked, name)
  const excluded = new Set(context.query.getAll('exclude'))
  const results = await Promise.all(asked.map((check) => resultOf(check, excluded)))
  const lines = results.map(({ line }) => line)
  if (results.some(({ ok }) => !ok)) return text(500, [...lines, `${kind} check failed`, ''].join('\n'))
  if (!context.query.has('verbose')) return text(200, 'ok')
  return text(200, [...lines, `${kind} check passed`, ''].join('\n'))
}

async function single(checks: readonly HealthCheck[], name: string): Promise<Response | undefined> {
  const check = checks.find((each) => each.name === name)
  if (check === undefined) return undefined
  const { ok, line } = await resultOf(check, new Set())
  return ok ? text(200, 'ok') : text(500, `internal server error: ${line}\n`)
}

// The reason is left out, because these endpoints need no authentication.
async function resultOf(
  { name, check }: HealthCheck,
  excluded: ReadonlySet<string>,
): Promise<{ ok: boolean; line: string }> {
  if (excluded.has(name)) return { ok: true, line: `[+]${name} excluded: ok` }
  try {
    await check()
    return { ok: true, line: `[+]${name} ok` }
  } catch {
    return { ok: false, line: `[-]${name} failed: reason withheld` }
  }
}
