import type { Session } from './session.ts'

/** The channel on which the servers of a schema tell each other of commits. */
export function notificationChannel(schema: string): string {
  return `${schema}_changes`
}

/** What is told of a commit: the revision that became visible, and who made it. */
export function notification(revision: number, writer: string): string {
  return `${revision} ${writer}`
}

/** The revision of a notification that another server sent; undefined for one of this server's own. */
export function notifiedRevision(payload: string, writer: string): number | undefined {
  const [revision, sender] = payload.split(' ')
  return sender === writer ? undefined : Number(revision)
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
