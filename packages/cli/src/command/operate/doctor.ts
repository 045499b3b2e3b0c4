import { Command } from 'commander'
import { addOutputFlag, type OutputFlags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { type Invocation, runs } from '../host/invocation.ts'
import { documentText } from '../host/output.ts'
import { checks, reach } from './doctor-checks.ts'
import { type Finding, failedCheck, ok } from './finding.ts'

interface DoctorFlags extends OutputFlags<'json' | 'yaml'> {
  readonly deep?: boolean
}

/** `hykube doctor` */
export function doctorCommand(host: Host): Command {
  const command = new Command('doctor')
    .description(
      'Check the server, its machine, your permissions and the providers. Exits with 1 when there is a problem.',
    )
    .option('--deep', 'check the integrity of the database file, however large it is')
    .addHelpText('after', '\nExamples:\n  hykube doctor\n  hykube doctor --deep -o json')
  return runs<DoctorFlags>(addOutputFlag(command, ['json', 'yaml']), host, doctor)
}

async function doctor({ flags, terminal, connect }: Invocation<DoctorFlags>): Promise<number | undefined> {
  const findings: Finding[] = []
  const connection = await connect()
  findings.push(
    ok('kubeconfig', `context ${connection.context}, ${connection.server}, namespace ${connection.namespace}`),
  )
  const reached = await reach(connection)
  findings.push(reached)
  if (reached.level === 'ok')
    for (const check of checks)
      findings.push(...(await check(connection, { now: terminal.now, deep: flags.deep === true }).catch(failedCheck)))
  if (flags.output !== undefined) terminal.out(await documentText(findings, flags.output))
  else for (const finding of findings) terminal.out(lineOf(finding, terminal.style))
  return findings.some(({ level }) => level === 'problem') ? 1 : undefined
}

function lineOf(
  { check, level, message, advice }: Finding,
  { green, yellow, red }: Invocation['terminal']['style'],
): string {
  const mark = { ok: green('✓'), warning: yellow('!'), problem: red('✗') }[level]
  return `${mark} ${check.padEnd(12)} ${message}\n${advice === undefined ? '' : `  ${''.padEnd(12)} → ${advice}\n`}`
}
