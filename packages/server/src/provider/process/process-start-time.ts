import { readFileSync } from 'node:fs'

/** When a process was started, read from /proc; undefined when there is none of this number, or it is a zombie. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything; the state comes after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Dead, and only waiting for its parent to take note.
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
