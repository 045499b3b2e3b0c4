import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { printable } from '../render/index.ts'

/** A program that shows a long text screen by screen. */
export interface Pager {
  /** Adds text, waiting while the pager has enough; false when it was ended. */
  write(text: string): Promise<boolean>
  /** Says that this is all, and waits for the reader. */
  close(): Promise<void>
}

/** Starts the pager that PAGER names, else `less`; undefined where there is none, or an empty PAGER says that none is wanted. */
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
