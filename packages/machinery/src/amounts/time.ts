/** Formats a time as RFC 3339 in UTC with seconds, `2026-01-31T12:00:00Z`, the form of object timestamps. */
export function timeToText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds !== last.seconds) last = { seconds, text: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` }
  return last.text
}

// The last result is cached, because thousands of objects are written in the same second.
let last = { seconds: 0, text: '1970-01-01T00:00:00Z' }

/** Formats a time with microseconds, as leases and events have it: `2026-01-31T12:00:00.000001Z`. */
export function microTimeToText(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000)
  const fraction = String(Math.floor(microseconds - seconds * 1_000_000)).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

/** Parses RFC 3339 text with any offset and fraction into milliseconds since 1970; undefined when it is not a time. */
export function timeFromText(text: string): number | undefined {
  const micros = microTimeFromText(text)
  return micros === undefined ? undefined : Math.floor(micros / 1000)
}

/** Parses RFC 3339 text with any offset and fraction into microseconds since 1970; undefined when it is not a time. */
export function microTimeFromText(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, date = '', time = '', fraction = '', offset = ''] = match
  const milliseconds = Date.parse(`${date}T${time}${offset}`)
  if (Number.isNaN(milliseconds) || !isRealDate(date) || time.startsWith('24')) return undefined
  return milliseconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

/** Rejects days that do not exist: JavaScript parses February 30 as March 2. */
function isRealDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}
