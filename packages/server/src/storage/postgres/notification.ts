import type { Session } from './session.ts'

/** The channel on which the servers of a schema tell each other of commits. */
export function notificationChannel(schema: string): string {
  return `${schema}_changes`
}

/**
 * Whether notifications arrive here. Some relatives of PostgreSQL refuse them, and some poolers swallow them, so one is
 * sent to oneself.
 */
export async function canNotify(session: Session): Promise<boolean> {
  try {
    let heard = false
    await session.listen('hykube_self_test', () => {
      heard = true
    })
    await session.query("SELECT pg_notify('hykube_self_test', '')")
    // A notification comes before the answer to what is asked after it.
    await session.query('SELECT 1')
    return heard
  } catch {
    return false
  }
}
