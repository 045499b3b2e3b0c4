import type { Session } from './session.ts'

/** The channel on which the servers of a schema tell each other of commits. */
export function notificationChannel(schema: string): string {
  return `${schema}_changes`
}

/** The payload for a commit: the revision that became visible, the writer, and the identity of its store. */
export function notification(revision: number, writer: string, identity: string): string {
  return `${revision} ${writer} ${identity}`
}

/** A notification that another server sent; undefined for one of this server's own. Older versions name no identity. */
export function parseNotification(
  payload: string,
  writer: string,
): { readonly revision: number; readonly identity: string | undefined } | undefined {
  const [revision, sender, identity] = payload.split(' ')
  return sender === writer ? undefined : { revision: Number(revision), identity }
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
    await session.query("SELECT pg_catalog.pg_notify('hykube_self_test', '')")
    // A notification comes before the answer to what is asked after it.
    await session.query('SELECT 1')
    return heard
  } catch {
    return false
  }
}
