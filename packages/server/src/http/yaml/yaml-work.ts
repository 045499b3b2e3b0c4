import { Worker } from 'node:worker_threads'
import { abortReason } from '@hykube/machinery/base'
import { badRequest, StatusError } from '@hykube/machinery/status'
import type { Client } from '../flow-control/fair-seats.ts'
import { jsonFromYaml } from './json-from-yaml.ts'
import { yamlFromJson } from './yaml-text.ts'

/** Task for the thread. */
export type YamlTask =
  | { readonly id: number; readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'write' | 'indent'; readonly json: string }

/** Result of a task: a text, or an error message. */
export interface YamlResult {
  readonly id: number
  readonly text?: string
  readonly problem?: string
}

/** Documents of this size in bytes or more are converted on a thread; smaller ones take a few milliseconds. */
export const largeYaml = 8 * 1024

/**
 * Converts YAML to JSON text, on a thread when it is large. Throws 400 when it is invalid, and 413 when the conversion
 * takes too long.
 */
export async function readYaml(bytes: Uint8Array, client?: Client): Promise<string> {
  return bytes.length < largeYaml ? jsonFromYaml(bytes) : thread.run({ kind: 'read', bytes }, client)
}

/** Converts JSON text to YAML, on a thread when it is large. */
export async function writeYaml(json: string): Promise<string> {
  return json.length < largeYaml ? yamlFromJson(json) : thread.run({ kind: 'write', json })
}

/** Indents JSON text by two spaces per level, on a thread. */
export function indentJson(json: string): Promise<string> {
  return thread.run({ kind: 'indent', json })
}

type NewTask = YamlTask extends infer Task ? (Task extends YamlTask ? Omit<Task, 'id'> : never) : never

interface Queued {
  readonly task: YamlTask
  readonly client: Client | undefined
  readonly result: PromiseWithResolvers<string>
}

/**
 * A worker thread that converts one document at a time and ends after a short time without tasks. Documents wait in a
 * queue on this side, so that those of disconnected clients are dropped and a terminated worker loses only one.
 */
class YamlThread {
  readonly #queue: Queued[] = []
  #running: Queued | undefined
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #next = 0

  run(task: NewTask, client?: Client): Promise<string> {
    const result = Promise.withResolvers<string>()
    this.#queue.push({ task: { ...task, id: this.#next++ } as YamlTask, client, result })
    if (this.#running === undefined) this.#startNext()
    return result.promise
  }

  #startNext(): void {
    clearTimeout(this.#deadline)
    this.#running = this.#takeConnected()
    if (this.#running === undefined) {
      this.#worker?.unref()
      this.#idle = setTimeout(() => this.#stop(), idleMilliseconds).unref()
      return
    }
    clearTimeout(this.#idle)
    const { task } = this.#running
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(task)
    // The server wrote the documents of the other tasks itself.
    if (task.kind === 'read') this.#deadline = setTimeout(() => this.#expire(), readMilliseconds)
  }

  #takeConnected(): Queued | undefined {
    for (;;) {
      const queued = this.#queue.shift()
      if (queued?.client?.isDisconnected !== true) return queued
      queued.result.reject(abortReason(queued.client.signal))
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-thread.ts', import.meta.url))
    worker.on('message', (result: YamlResult) => this.#finish(result))
    worker.on('error', (error: Error) => this.#fail(worker, error))
    return worker
  }

  #finish({ id, text, problem }: YamlResult): void {
    // A terminated worker may have sent its result already.
    if (this.#running?.task.id !== id) return
    const { result } = this.#running
    if (problem === undefined) result.resolve(text!)
    else result.reject(badRequest(problem))
    this.#startNext()
  }

  #expire(): void {
    const limit = `converting the YAML body took longer than ${readMilliseconds / 1000} s; send the object as JSON`
    this.#stop()
    this.#running?.result.reject(new StatusError('RequestEntityTooLarge', limit))
    this.#startNext()
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#running?.result.reject(error)
    this.#startNext()
  }

  #stop(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}

const thread = new YamlThread()
const idleMilliseconds = 10_000
/** Ordinary YAML of the largest body size takes about a second. */
const readMilliseconds = 3_000
