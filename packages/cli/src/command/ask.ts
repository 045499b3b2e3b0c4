import { CommandError } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Asks for a `yes`, as Terraform does; false for anything else. */
export async function askYes(terminal: Terminal, question: string, what: string): Promise<boolean> {
  const { bold } = terminal.style
  const answer = await terminal.ask(
    `\n${bold(question)}\n  ${what}\n  Only 'yes' will be accepted to approve.\n\n  ${bold('Enter a value:')} `,
  )
  if (answer === undefined)
    throw new CommandError(
      'nobody answered whether to go on',
      'Where nobody can be asked, say it beforehand:  --auto-approve',
    )
  terminal.out('\n')
  return answer.trim() === 'yes'
}
