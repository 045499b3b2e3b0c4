import { CommandError } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Asks for a `yes`, as Terraform does. Any other answer, and Ctrl-C, is a no. */
export async function askYes(terminal: Terminal, question: string, explanation: string): Promise<boolean> {
  const { bold } = terminal.style
  const answer = await terminal.ask(
    `\n${bold(question)}\n  ${explanation}\n  Only 'yes' will be accepted to approve.\n\n  ${bold('Enter a value:')} `,
  )
  terminal.out('\n')
  if (answer === undefined && !terminal.live)
    throw new CommandError('cannot ask for approval: the input ended', 'To apply without asking:  --auto-approve')
  return answer?.trim() === 'yes'
}
