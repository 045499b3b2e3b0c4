import { expect } from 'vitest'
import type { TestServer } from '../e2e/server.ts'
import { send } from './attacker.ts'

const root = '/apis/hykube.io/v1alpha1'
const pathOf = (provider: string) => `/apis/data.${provider}.hykube.io/v1/namespaces/default/script-data`

/** Installs providers that run any command: each stands for a hostile one. The server needs --allow-local-scripts. */
export async function installScriptProviders(server: TestServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await post(server, `${root}/providers`, { metadata: { name }, spec: { source: 'hykube/script' } })
    for (;;) if ((await get(server, pathOf(name))).status === 200) break
  }
}

/** Runs a command in a provider's process and returns its output. */
export async function runScript(server: TestServer, provider: string, command: string): Promise<string> {
  const name = `run-${commands++}`
  const script = `text=$( { ${command}; } 2>&1 | base64 -w0); printf '{"output":"%s"}' "$text"`
  await post(server, pathOf(provider), {
    metadata: { name },
    spec: { interpreter: ['/bin/sh', '-c'], read: [script] },
  })
  await post(server, `${root}/namespaces/default/plans`, { metadata: { name } })
  for (;;) {
    const { document } = await get(server, `${root}/namespaces/default/plans/${name}`)
    if (!/Pending|Planning/.test(document.status?.phase ?? 'Pending')) break
  }
  const { document } = await get(server, `${pathOf(provider)}/${name}`)
  expect(document.status.attributes).toHaveProperty('output')
  return Buffer.from(document.status.attributes.output, 'base64').toString()
}

let commands = 0

function get(server: TestServer, path: string) {
  return send(server, { path, token: server.adminToken })
}

async function post(server: TestServer, path: string, body: object): Promise<void> {
  const { status, text } = await send(server, { method: 'POST', path, body, token: server.adminToken })
  expect(`${status} ${text}`).toMatch(/^201 /)
}
