import { readFileSync } from 'node:fs'

/** How a run of equal requests went. */
export interface RunResult {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Processor time of the server for each request, in microseconds. */
  readonly serverMicroseconds: number
  readonly failures: number
}

/** Runs so many requests with so many at once. */
export async function measureRun(
  pid: number,
  count: number,
  concurrency: number,
  send: (index: number) => Promise<boolean>,
): Promise<RunResult> {
  const latencies = new Float64Array(count)
  let next = 0
  let failures = 0
  const before = processorSeconds(pid)
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
    serverMicroseconds: ((processorSeconds(pid) - before) / count) * 1e6,
    failures,
  }
}

/** Processor time a process has used, in seconds. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process, in megabytes. */
export function residentMegabytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(match?.[1] ?? 0) / 1024
}
