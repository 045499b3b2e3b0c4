import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError, type Terminal } from '../command/index.ts'
import { breakSomething } from './break-something.ts'
import { cloud, company, companySize } from './company.ts'
import { type DemoServer, OwnProgram, startDemoServer } from './own-program.ts'

export interface DemoOptions {
  /** Keeps the server running afterwards. */
  readonly keep: boolean
  /** The latency of the simulated cloud, in milliseconds. */
  readonly latency: number
}

/** Creates a small company in a simulated cloud, changes it by hand and repairs it. */
export async function demo(terminal: Terminal, { keep, latency }: DemoOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'hykube-demo-'))
  const places = {
    data: join(home, 'data'),
    world: join(home, 'world'),
    files: join(home, 'company'),
    log: join(home, 'server.log'),
  }
  const step = steps(terminal)
  step('Start a server: one process, with its database in a file.')
  const server = await startDemoServer(places.data, places.log)
  terminal.out(`It serves the Kubernetes API at ${server.url}\n`)
  const kubeconfig = join(places.data, 'admin.kubeconfig')
  // Ctrl-C ends the running command, and with it the demo, which then stops its server.
  const release = terminal.onInterrupt(() => {})
  try {
    await play(terminal, step, new OwnProgram(kubeconfig), places, latency)
  } catch (error) {
    await finish(server, home, false)
    throw error
  } finally {
    release()
  }
  if (keep) printNextSteps(terminal, kubeconfig, places.files, server)
  await finish(server, home, keep)
}

interface Places {
  readonly world: string
  readonly files: string
}

type Step = (text: string) => void

async function play(
  terminal: Terminal,
  step: Step,
  hykube: OwnProgram,
  { world, files }: Places,
  latency: number,
): Promise<void> {
  step('Install a provider: a simulated cloud that is built in and runs like any Terraform provider.')
  writeFiles(files, [cloud({ world, latency })])
  await must(hykube.run('apply', '-f', files, '--auto-approve'), 'install the provider')

  step(
    `Write the desired state: ${companySize} resources in ${company.length} files that refer to each other. Then plan.`,
  )
  writeFiles(files, company)
  const planned = await hykube.ask('plan', '-f', files, '--out', 'everything', '--no-pager')
  await must(Promise.resolve(planned.code), 'plan')
  terminal.out(excerpt(planned.stdout, 24))

  step('Apply exactly that plan: in the order of the references, in parallel.')
  await must(hykube.run('apply', 'everything', '--auto-approve'), 'apply')

  step('Plan again: nothing has changed, so no provider is called.')
  await must(hykube.run('plan', '--no-pager'), 'plan again')

  step('Change the cloud by hand, without Hykube.')
  for (const deed of breakSomething(world)) terminal.out(`${deed}\n`)

  step('Find the drift: read the real resources and show the differences.')
  const drifted = await hykube.ask('drift', '--no-pager')
  await must(Promise.resolve(drifted.code), 'find drift')
  terminal.out(excerpt(drifted.stdout, 24))

  step('Repair it: changed resources are restored, deleted ones are created again.')
  await must(hykube.run('apply', '--refresh', 'all', '--auto-approve', '--no-pager'), 'repair')

  step('Show the history: who planned and approved what, and when.')
  await must(hykube.run('history'), 'show the history')
}

function steps(terminal: Terminal): Step {
  let number = 0
  return (text) =>
    terminal.out(`\n${terminal.style.bold(terminal.style.cyan(`${++number}.`))} ${terminal.style.bold(text)}\n\n`)
}

function writeFiles(directory: string, files: readonly { readonly name: string; readonly text: string }[]): void {
  mkdirSync(directory, { recursive: true })
  for (const { name, text } of files) writeFileSync(join(directory, name), text)
}

// The first lines and the last three of a long text.
function excerpt(text: string, lines: number): string {
  const all = text.trimEnd().split('\n')
  if (all.length <= lines + 4) return text
  const tail = all.slice(-3)
  return `${[...all.slice(0, lines), `  … ${all.length - lines - tail.length} more lines …`, '', ...tail].join('\n')}\n`
}

async function must(code: Promise<number>, what: string): Promise<void> {
  if ((await code) !== 0) throw new CommandError(`the demo stopped: it could not ${what}`)
}

function printNextSteps(terminal: Terminal, kubeconfig: string, files: string, { pid }: DemoServer): void {
  terminal.out(
    [
      '',
      terminal.style.bold('The server keeps running. Try it:'),
      `  export KUBECONFIG=${kubeconfig}`,
      '  hykube get sim-instances',
      '  hykube graph sim_network.production --depth 2',
      `  edit ${files}, then:  hykube apply -f ${files}`,
      `To stop it:  kill ${pid}`,
      '',
    ].join('\n'),
  )
}

async function finish(server: DemoServer, home: string, keep: boolean): Promise<void> {
  if (keep) {
    server.leave()
    return
  }
  await server.stop()
  rmSync(home, { recursive: true, force: true })
}
