import { readFileSync } from 'node:fs'

/** Result of a run of equal requests; latencies in milliseconds. */
export interface RunResult {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Processor time of the server per request, in microseconds. */
  readonly serverMicroseconds: number
  readonly failures: number
}

/** Sends `count` requests with the given concurrency. */
export async function measureRun(
  pids: readonly number[],
  count: number,
  concurrency: number,
  send: (index: number) => Promise<boolean>,
): Promise<RunResult> {
  const latencies = new Float64Array(count)
  let next = 0
  let failures = 0
  const before = processorSeconds(pids)
  const started = performance.now()
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      const begun = performance.now()
      if (!(await send(index))) failures++
      latencies[index] = performance.now() - begun
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - started) / 1000
  latencies.sort()
  return {
    rate: count / seconds,
    p50: latencies[Math.floor(count * 0.5)]!,
    p99: latencies[Math.floor(count * 0.99)]!,
    serverMicroseconds: ((processorSeconds(pids) - before) / count) * 1e6,
    failures,
  }
}

/** Processor time used by the processes, in seconds. */
export function processorSeconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  })
}

/** Resident memory of the processes, in megabytes. */
export function residentMegabytes(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(match?.[1] ?? 0) / 1024
  })
}

/** Processor time that the hypervisor gave to other machines (steal), in percent since the last call. */
export class StolenTime {
  #last = processorTicks()

  get percent(): number {
    const [before, now] = [this.#last, processorTicks()]
    this.#last = now
    return ((now.stolen - before.stolen) / Math.max(1, now.all - before.all)) * 100
  }
}

// First line of /proc/stat: user, nice, system, idle, iowait, irq, softirq and steal, summed over all processors.
function processorTicks(): { readonly all: number; readonly stolen: number } {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1, 9).map(Number)
  return { all: fields.reduce((total, ticks) => total + ticks, 0), stolen: fields[7] ?? 0 }
}

function sum(pids: readonly number[], figure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figure(pid), 0)
}
