import { Command } from 'commander'
import { checks, reach } from './doctor-checks.ts'
import { type Finding, failedCheck, ok } from './finding.ts'
import type { Host } from './host.ts'
import { type Invocation, outputFormat, runs } from './invocation.ts'
import { documentText } from './output.ts'

interface DoctorFlags {
  readonly deep?: boolean
}

/** `hykube doctor` */
export function doctorCommand(host: Host): Command {
  const command = new Command('doctor')
    .description('Check the server and what it needs, and say what to do. Ends with 1 when something is wrong.')
    .option('--deep', 'read the whole file of the store through, however large it is')
    .addHelpText('after', '\nExamples:\n  hykube doctor\n  hykube doctor --deep -o json')
  return runs<DoctorFlags>(command, host, doctor)
}

async function doctor({ flags, terminal, connect }: Invocation<DoctorFlags>): Promise<number | undefined> {
  const format = outputFormat(flags, ['json', 'yaml'])
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
  if (format !== undefined) terminal.out(await documentText(findings, format))
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
