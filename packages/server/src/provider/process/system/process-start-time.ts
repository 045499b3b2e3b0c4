import { readFileSync } from 'node:fs'

/** The boot id and start time of a process from /proc; undefined if there is no such process or it is a zombie. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command name in parentheses and may contain spaces and parentheses; the state follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has exited, but its parent hasn't called wait() yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return `${bootId()}/${fields[19]}`
  } catch {
    return undefined
  }
}

let knownBootId: string | undefined

function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return knownBootId
}
