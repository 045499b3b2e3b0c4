/** A moment as objects carry it: RFC 3339 in UTC with seconds, `2026-01-31T12:00:00Z`; what is finer is cut off. */
export function timeToText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds !== last.seconds) last = { seconds, text: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` }
  return last.text
}

// Thousands of objects are written in the same second.
let last = { seconds: 0, text: '1970-01-01T00:00:00Z' }

/** A moment with microseconds, as leases and events carry it: `2026-01-31T12:00:00.000001Z`. */
export function microTimeToText(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000)
  const fraction = String(Math.floor(microseconds - seconds * 1_000_000)).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

/** Milliseconds since 1970 of an RFC 3339 text with any offset and fraction; undefined when it is none. */
export function timeFromText(text: string): number | undefined {
  const micros = microTimeFromText(text)
  return micros === undefined ? undefined : Math.floor(micros / 1000)
}

/** Microseconds since 1970 of an RFC 3339 text with any offset and fraction; undefined when it is none. */
export function microTimeFromText(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, date = '', time = '', fraction = '', offset = ''] = match
  const milliseconds = Date.parse(`${date}T${time}${offset}`)
  if (Number.isNaN(milliseconds) || !isRealDate(date) || time.startsWith('24')) return undefined
  return milliseconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

/** Whether a day is in the calendar: JavaScript takes February 30 for the first of March. */
function isRealDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}
