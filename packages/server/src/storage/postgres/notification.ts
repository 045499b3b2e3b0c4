import type { Session } from './session.ts'

/** Channel on which the servers of a schema announce commits. */
export function notificationChannel(schema: string): string {
  return `${schema}_changes`
}

/** Payload for a commit: the new visible revision, the writer, and the identity of its store. */
export function notification(revision: number, writer: string, identity: string): string {
  return `${revision} ${writer} ${identity}`
}

/** Parses a notification of another server; undefined for the server's own. Older versions send no identity. */
export function parseNotification(
  payload: string,
  writer: string,
): { readonly revision: number; readonly identity: string | undefined } | undefined {
  const [revision, sender, identity] = payload.split(' ')
  return sender === writer ? undefined : { revision: Number(revision), identity }
}

/**
 * True when notifications work. Some databases compatible with PostgreSQL reject them, and some connection poolers drop
 * them, so one is sent and awaited.
 */
export async function canNotify(session: Session): Promise<boolean> {
  try {
    let received = false
    await session.listen('hykube_self_test', () => {
      received = true
    })
    await session.query("SELECT pg_catalog.pg_notify('hykube_self_test', '')")
    // The server delivers a notification before the result of a later query.
    await session.query('SELECT 1')
    return received
  } catch {
    return false
  }
}
