import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { printable } from '../../render/index.ts'

/** A pager program. */
export interface Pager {
  /** Writes text, with backpressure. Returns false once the user quit the pager. */
  write(text: string): Promise<boolean>
  /** Ends the text and waits until the user quits the pager. */
  close(): Promise<void>
}

/** Starts the program in PAGER, by default `less`; undefined when it is not installed, or PAGER is empty. */
export function openPager(): Pager | undefined {
  const command = process.env.PAGER ?? (hasLess() ? 'less -FRX' : '')
  if (command.trim() === '') return undefined
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
  const { stdin } = child
  let open = true
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(() => {
    open = false
  })
  stdin.on('error', () => {
    open = false
  })
  return {
    write: async (text) => {
      if (!open) return false
      if (!stdin.write(printable(text, true)))
        await Promise.race([new Promise<void>((resolve) => stdin.once('drain', resolve)), ended])
      return open
    },
    close: async () => {
      stdin.end()
      await ended
    },
  }
}

function hasLess(): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, 'less')))
}
