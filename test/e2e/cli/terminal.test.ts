import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { startServer, type TestServer } from '../server.ts'
import { estate, hykube, lastLine, program, simProvider } from './hykube.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'

describeWith(['script'], 'on a terminal', (script) => {
  let server: TestServer
  let file: string
  const open: PseudoTerminal[] = []
  beforeAll(async () => {
    server = await startServer()
    file = join(server.dataDirectory, 'estate.yaml')
    writeFileSync(file, estate({ machines: 12 }))
    await hykube(server)(['apply', '-f', '-'], { input: simProvider({ latency: 600 }) })
  })
  afterAll(async () => {
    for (const each of open) each.end()
    await server.remove()
  })

  function start(columns: number, env: NodeJS.ProcessEnv, ...args: string[]): PseudoTerminal {
    const all = { KUBECONFIG: server.kubeconfig, HOME: server.dataDirectory, CI: '', NO_COLOR: '', ...env }
    const terminal = new PseudoTerminal(script, [program, ...args], { columns, env: all })
    open.push(terminal)
    return terminal
  }

  test.each([80, 160])(
    'at %i columns apply asks, draws its progress within the width, and ends with the result',
    { timeout: 60_000 },
    async (columns) => {
      const namespace = `wide-${columns}`
      await hykube(server)(['apply', '-f', '-'], {
        input: `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${namespace}}\n`,
      })
      const terminal = start(columns, {}, 'apply', '-n', namespace, '-f', file, '--out', 'p', '--no-pager')
      await terminal.see(/Enter a value: $/)
      terminal.type('yes\r')
      await terminal.see(/Applying p {2}━*─* {2}\d+\/14/)
      await terminal.see(/sim_\S+ +creating \ds/)
      expect(await terminal.ended()).toBe(0)
      const shown = terminal.screen
      expect(lastLine(shown)).toBe('Apply complete! Resources: 14 added, 0 changed, 0 destroyed.')
      // The progress lines are gone, and the text before them remains.
      expect(shown).not.toContain('creating')
      expect(shown).toContain('Plan: 14 to add, 0 to change, 0 to destroy.')
      expect(terminal.written).toContain('\u001B[32m+\u001B[39m')
      const drawnLines = terminal.written.split(/\r\n/).filter((line) => line.includes('Applying p'))
      for (const line of drawnLines)
        expect([...line.replace(/\u001B\[[\d;]*[A-Za-z]|\r/g, '')].length).toBeLessThanOrEqual(columns)
    },
  )

  test('no keeps the plan', { timeout: 60_000 }, async () => {
    const terminal = start(80, {}, 'apply', '-f', file, '--no-pager')
    await terminal.see(/Enter a value: $/)
    terminal.type('no\r')
    expect(await terminal.ended()).toBe(1)
    expect(terminal.screen).toMatch(/Apply canceled\.\n {2}The plan is kept/)
  })

  test('Ctrl-C once ends it gently: what runs is finished, the rest is left', { timeout: 60_000 }, async () => {
    const terminal = start(80, {}, 'apply', '-f', file, '--auto-approve', '--no-pager', '--parallelism', '1')
    await terminal.see(/creating/)
    terminal.type('\u0003')
    expect(await terminal.ended()).toBe(1)
    expect(terminal.screen).toContain('Canceling: running changes are finished')
    const { stdout } = await hykube(server)('history')
    expect(stdout).toMatch(/Canceled|PartiallyApplied/)
  })

  test('Ctrl-C twice leaves it to the server, and says how to follow it', { timeout: 60_000 }, async () => {
    await hykube(server)(['apply', '-f', '-'], { input: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: twice}\n' })
    const terminal = start(80, {}, 'apply', '-n', 'twice', '-f', file, '--auto-approve', '--no-pager', '--out', 'left')
    await terminal.see(/creating/)
    terminal.type('\u0003')
    await terminal.see(/Ctrl-C again/)
    terminal.type('\u0003')
    expect(await terminal.ended()).toBe(1)
    // It may have ended in between the two; then that is told instead.
    expect(terminal.screen).toMatch(/Follow it again: {2}hykube apply left -n twice|Apply canceled/)
  })

  test('a long plan is shown in a pager, and what it comes to stays', { timeout: 60_000 }, async () => {
    await hykube(server)(['apply', '-f', '-'], { input: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: long}\n' })
    const many = join(server.dataDirectory, 'many.yaml')
    writeFileSync(many, estate({ machines: 250 }))
    const env = { PAGER: 'head -2; cat > /dev/null; echo that was the pager' }
    const terminal = start(80, env, 'plan', '-n', 'long', '-f', many)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen).toContain('that was the pager')
    expect(terminal.screen).not.toContain('sim_instance.web[100]')
    expect(lastLine(terminal.screen)).toBe('Plan: 252 to add, 0 to change, 0 to destroy.')
  })

  test.each([{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])(
    '%j means no colours',
    { timeout: 60_000 },
    async (env) => {
      const terminal = start(80, env as NodeJS.ProcessEnv, 'plan', '--no-pager')
      await terminal.ended()
      expect(terminal.written).not.toContain('\u001B[32m')
    },
  )
})
