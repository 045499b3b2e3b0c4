import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../root.ts'
import { Screen, type Span } from './screen.ts'

const byHand = '# somebody renames the network in the console of the cloud'

/** Recorded commands. */
export const commands: readonly string[] = [
  'kubectl apply -f shop.yaml',
  'hykube plan --out friday',
  'hykube approve friday -m "looks right" --follow',
  byHand,
  'hykube drift',
  'hykube history',
]

/** Runs the commands of the README in a pseudo-terminal and returns the screen. */
export async function recordedSession(columns: number): Promise<Span[][]> {
  const home = mkdtempSync(join(tmpdir(), 'hykube-record-'))
  const data = join(home, 'hykube-data')
  writeFileSync(join(home, 'shop.yaml'), shop)
  const server = spawn(join(root, 'bin/hykube'), ['serve', '--port', '0', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await ready(server)
    const { CI: _, NO_COLOR: __, ...rest } = process.env
    const env = {
      ...rest,
      TERM: 'xterm-256color',
      PATH: `${join(root, 'bin')}:${rest.PATH}`,
      KUBECONFIG: join(data, 'admin.kubeconfig'),
    }
    const screen = new Screen()
    const run = (command: string) => inTerminal(command, columns, home, env)
    await run('hykube providers install hykube/sim')
    for (const command of commands) {
      if (command === byHand) changeByHand(join(data, 'worlds/sim.root/sim_network'))
      screen.write(`\x1b[32m$\x1b[39m \x1b[1m${command}\x1b[22m\r\n`)
      if (command !== byHand) screen.write(await run(command))
      screen.write('\r\n')
    }
    return screen.lines()
  } finally {
    server.kill('SIGTERM')
    await new Promise((ended) => server.once('exit', ended))
    rmSync(home, { recursive: true, force: true })
  }
}

const shop = `apiVersion: sim.hykube.io/v1
kind: SimNetwork
metadata: {name: main}
spec: {name: main, cidr: 10.0.0.0/16}
---
apiVersion: sim.hykube.io/v1
kind: SimSubnet
metadata: {name: a}
spec: {network_id: "\${sim_network.main.id}", cidr: 10.0.1.0/24}
`

function changeByHand(world: string): void {
  for (const name of readdirSync(world)) {
    const object = JSON.parse(readFileSync(join(world, name), 'utf8')) as object
    writeFileSync(join(world, name), JSON.stringify({ ...object, name: 'renamed-by-hand' }))
  }
}

function inTerminal(command: string, columns: number, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, failed) => {
    const line = `stty cols ${columns} rows 50; ${command}`
    const shell = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    shell.once('error', failed)
    shell.once('close', (code) =>
      code === 0 ? done(output) : failed(new Error(`${command} ended with ${code}: ${output}`)),
    )
  })
}

function ready({ stdout }: ChildProcess): Promise<void> {
  return new Promise((done) => {
    let said = ''
    stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('ready https://')) done()
    })
  })
}
