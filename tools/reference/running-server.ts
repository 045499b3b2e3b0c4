import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hykube/server/app'

/** Sends a GET, or a POST with a document, and returns the response body. */
export type Ask = (path: string, document?: unknown) => Promise<string>

/** Runs `work` with a server that has only the built-in provider installed. */
export async function withRunningServer<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-reference-'))
  const server = await serve({ dataDirectory, port: 0, store: 'memory:', shutdownGraceSeconds: 1, version: '0.0.0' })
  try {
    const ask = asking(server.url, dataDirectory)
    await installSim(ask)
    return await work(ask)
  } finally {
    await server.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

function asking(url: string, dataDirectory: string): Ask {
  const file = (name: string) => readFileSync(join(dataDirectory, name))
  const secrets = { ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') }
  return (path, document) =>
    new Promise((done, failed) => {
      const method = document === undefined ? 'GET' : 'POST'
      const headers = document === undefined ? {} : { 'content-type': 'application/json' }
      const asked = request(new URL(path, url), { ...secrets, method, headers, agent: false }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.once('end', () => {
          if ((answer.statusCode ?? 500) >= 400) failed(new Error(`cannot ask for ${path}: ${text}`))
          else done(text)
        })
      })
      asked.once('error', failed)
      asked.end(document === undefined ? undefined : JSON.stringify(document))
    })
}

// A watch reports readiness without polling.
async function installSim(ask: Ask): Promise<void> {
  const provider = {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'Provider',
    metadata: { name: 'sim' },
    spec: { source: 'hykube/sim' },
  }
  await ask('/apis/hykube.io/v1alpha1/providers', provider)
  for (let seconds = 1; !(await isReady(ask)); seconds++) {
    if (seconds > 30) throw new Error('the built-in provider hykube/sim is not ready after 30 s')
    await ask('/apis/hykube.io/v1alpha1/providers?watch=true&timeoutSeconds=1')
  }
}

async function isReady(ask: Ask): Promise<boolean> {
  const { status } = JSON.parse(await ask('/apis/hykube.io/v1alpha1/providers/sim')) as ProviderAnswer
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true
}

interface ProviderAnswer {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}
