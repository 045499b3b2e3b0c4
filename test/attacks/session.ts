import { connect } from 'node:http2'
import type { TestServer } from '../e2e/server.ts'
import type { Answer, Attack } from './attacker.ts'

/** One HTTP/2 connection for many requests. */
export interface AttackSession {
  send(attack: Omit<Attack, 'certificate'>): Promise<Answer>
  close(): void
}

export function openSession({ url }: Pick<TestServer, 'url'>): AttackSession {
  const session = connect(url, { rejectUnauthorized: false })
  session.on('error', () => {})
  return {
    send: ({ method = 'GET', path, token, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const head = {
          ':method': method,
          ':path': path,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        }
        const stream = session.request(head, { endStream: body === undefined })
        const chunks: Buffer[] = []
        let answered: Readonly<Record<string, unknown>> = {}
        stream.on('response', (given) => {
          answered = given
        })
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', reject)
        stream.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = String(answered['content-type']).startsWith('application/json')
          resolve({
            status: Number(answered[':status']),
            headers: answered,
            text,
            document: isJson && text !== '' ? JSON.parse(text) : undefined,
          })
        })
        if (body !== undefined)
          stream.end(body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body))
      }),
    close: () => session.destroy(),
  }
}
