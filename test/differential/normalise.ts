import type { Answer } from './exchange.ts'

/** Removes values from a response that always differ between servers: ids, times, revisions, addresses, the order of causes. */
export function normalised({ status, type, warnings, body }: Answer): unknown {
  return { status, type: type.replace(/;.*/, ''), warnings: warnings.map(scrubbed), body: clean(body) }
}

/** The message of a failure, without values that always differ between servers. */
export function normalisedMessage({ body }: Answer): string {
  return scrubbed(String((body as { message?: unknown }).message))
}

const own = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'selfLink',
  'continue',
])

function clean(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return own.has(key) ? `(${key})` : scrubbed(value)
  if (Array.isArray(value)) return value.map((item) => clean(item))
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  if (fields.kind === 'Status') return cleanStatus(fields)
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, clean(fields[name], name)]),
  )
}

// The message repeats the causes in random order.
function cleanStatus(status: Record<string, unknown>): unknown {
  const details = status.details as { causes?: readonly unknown[]; uid?: string } | undefined
  const causes = details?.causes?.map((cause) => clean(cause)) ?? []
  const { uid: _, ...rest } = details ?? {}
  return {
    status: status.status,
    reason: status.reason,
    code: status.code,
    message: causes.length > 1 ? '(of several causes)' : scrubbed(String(status.message ?? '')),
    details:
      details === undefined ? undefined : { ...rest, causes: causes.map((cause) => JSON.stringify(cause)).sort() },
  }
}

function scrubbed(text: string): string {
  return (
    text
      .replace(/selfType\d*/g, 'selfType')
      // A value in Go's %v format.
      .replace(/&value\.valueUnstructured\{Value:(.*?)\}/g, '$1')
      .replace(/0xc[0-9a-f]{6,}/g, '0x…')
      .replace(/(resourceVersion[\\"]+:[\\"]+)\d+/g, '$1…')
      .replace(/(ResourceVersion in record \()\d+/, '$1…')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(uid)')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '(time)')
  )
}
