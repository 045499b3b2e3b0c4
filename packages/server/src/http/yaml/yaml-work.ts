import { Worker } from 'node:worker_threads'
import { badRequest } from '@hykube/machinery/status'
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

/** Converts YAML to JSON text, on a thread when it is large. Throws 400 when it is invalid. */
export async function readYaml(bytes: Uint8Array): Promise<string> {
  return bytes.length < largeYaml ? jsonFromYaml(bytes) : thread.run({ kind: 'read', bytes })
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

/** A worker thread that ends after a short time without tasks. */
class YamlThread {
  readonly #waiting = new Map<number, PromiseWithResolvers<string>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #next = 0

  run(task: NewTask): Promise<string> {
    clearTimeout(this.#idle)
    const id = this.#next++
    const waiting = Promise.withResolvers<string>()
    this.#waiting.set(id, waiting)
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage({ ...task, id } as YamlTask)
    return waiting.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-thread.ts', import.meta.url))
    worker.on('message', (result: YamlResult) => this.#finish(result))
    worker.on('error', (error: Error) => this.#ended(worker, error))
    return worker
  }

  #finish({ id, text, problem }: YamlResult): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (problem === undefined) waiting?.resolve(text!)
    else waiting?.reject(badRequest(problem))
    if (this.#waiting.size > 0) return
    this.#worker?.unref()
    this.#idle = setTimeout(() => this.#stop(), idleMilliseconds).unref()
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #stop(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}

const thread = new YamlThread()
const idleMilliseconds = 10_000
