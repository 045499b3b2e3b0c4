import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process and its descendants, in seconds. Linux only; NaN elsewhere. */
export function cpuSeconds(root: number): number {
  try {
    const parents = new Map<number, number[]>()
    for (const name of readdirSync('/proc'))
      if (/^\d+$/.test(name)) {
        const stat = statOf(Number(name))
        if (stat !== undefined) parents.set(stat.parent, [...(parents.get(stat.parent) ?? []), Number(name)])
      }
    let ticks = 0
    const open = [root]
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      ticks += statOf(pid)?.ticks ?? 0
      open.push(...(parents.get(pid) ?? []))
    }
    return ticks / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** Resident memory of a process, in megabytes. */
export function residentMegabytes(pid: number): number {
  return megabytes(pid, 'VmRSS')
}

/** Peak resident memory of a process, in megabytes. */
export function peakMegabytes(pid: number): number {
  return megabytes(pid, 'VmHWM')
}

const ticksPerSecond = 100

// Includes the time of terminated children. Undefined when the process ends meanwhile.
function statOf(pid: number): { readonly parent: number; readonly ticks: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [parent = 0, ...rest] = [fields[1], ...fields.slice(11, 15)].map(Number)
    return { parent, ticks: rest.reduce((sum, each) => sum + each, 0) }
  } catch {
    return undefined
  }
}

function megabytes(pid: number, what: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
