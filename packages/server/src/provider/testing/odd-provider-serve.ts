import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { servePlugin } from '@hykube/tfplugin/handshake'
import { type ProviderSchema, providerHandlers } from '@hykube/tfplugin/protocol'
import { valueObject } from '@hykube/tfplugin/value'

/**
 * A provider that misbehaves on demand: its first argument selects the behaviour at start, and the name of the object to read
 * selects the behaviour of the call.
 */
const [mode = 'serve', note = ''] = process.argv.slice(2)
const documented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

function attribute(name: string, sensitive = false) {
  const rules = { required: false, optional: true, computed: false, sensitive, writeOnly: false }
  return { name, shape: { kind: 'plain', type: { kind: 'string' } }, ...rules, ...documented } as const
}

function block(...attributes: readonly ReturnType<typeof attribute>[]) {
  return { version: 0, block: { attributes, blocks: [], ...documented } }
}

const schema: ProviderSchema = {
  provider: block(attribute('region'), attribute('password', true)),
  resources: new Map([['odd_thing', block(attribute('name'))]]),
  dataSources: new Map(),
  ephemeralResources: new Map(),
  listResources: new Map(),
  actions: new Map(),
  functions: new Map(),
  serverCapabilities: {
    planDestroy: false,
    getProviderSchemaOptional: mode !== 'insists',
    moveResourceState: false,
    generateResourceConfig: false,
  },
  diagnostics: mode === 'bad-schema' ? [{ severity: 'error', summary: 'No schema today' }] : [],
}

let schemaAsked = false
let configured: string | undefined
let stopped = 0
const hoard: Buffer[] = []
const answer = (name: string) => ({ newState: valueObject({ name }), private: new Uint8Array(0), diagnostics: [] })

const deeds: Readonly<Record<string, () => Promise<string> | string>> = {
  hang: () => new Promise(() => {}),
  block: () => {
    for (;;);
  },
  crash: () => process.exit(7),
  panic: () => {
    process.stderr.write(`panic: nil map with ${configured}\n\ngoroutine 1 [running]:\n`)
    process.exit(2)
  },
  memory: async () => {
    for (;;) {
      hoard.push(Buffer.alloc(32 * 2 ** 20, 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  },
  chatter: () => {
    process.stdout.write('x'.repeat(1_000_000))
    process.stderr.write(`[WARN] the password is ${configured}\n`)
    return 'done'
  },
  child: () => String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid),
  environment: () => JSON.stringify(process.env),
  directory: () => process.cwd(),
  facts: () => JSON.stringify({ schemaAsked, configured, stopped, pid: process.pid }),
}

// Tests count the starts by these files.
if (note !== '' && mode !== 'garbage' && mode !== 'exit') writeFileSync(note, `${process.pid}\n`, { flag: 'a' })

if (mode === 'garbage') process.stdout.write('Usage: thing [options]\n')
else if (mode === 'exit') process.exit(3)
else if (mode === 'silent') setInterval(() => {}, 1000)
else await serve()

async function serve(): Promise<void> {
  const handlers = providerHandlers(
    {
      getProviderSchema: async () => {
        schemaAsked = true
        return schema
      },
      validateProviderConfig: async () => ({ diagnostics: [] }),
      configureProvider: async ({ config }) => {
        configured = (config as { password?: string } | null)?.password
        if (mode === 'dies') process.exit(9)
        if (mode === 'lingers') await new Promise(() => {})
        if (mode !== 'refuses') return { diagnostics: [{ severity: 'warning', summary: `hello ${configured}` }] }
        return { diagnostics: [{ severity: 'error', summary: 'Wrong password', detail: `It is not ${configured}.` }] }
      },
      stopProvider: async () => {
        stopped++
        return { error: '' }
      },
      readResource: async ({ currentState }) => {
        const { name } = currentState as { name: string }
        return answer((await deeds[name]?.()) ?? name)
      },
    },
    { schema },
  )
  // A response that is not a valid message of the protocol.
  handlers.set('/tfplugin6.Provider/PlanResourceChange', { kind: 'unary', handle: () => Buffer.from([0xff, 0xff, 1]) })
  const plugin = await servePlugin({ protocols: new Map([[6, handlers]]), env: process.env, write: say })
  if (mode === 'stubborn') setInterval(() => {}, 1000)
  await plugin.ended
  process.exitCode = 0
  if (mode !== 'stubborn') process.exit()
}

function say(line: string): void {
  process.stdout.write(line)
}
