import { Worker } from 'node:worker_threads'
import { badRequest } from '@hykube/machinery/status'
import { jsonFromYaml } from './json-from-yaml.ts'
import { yamlFromJson } from './yaml-text.ts'

/** What the thread is asked for. */
export type YamlOrder =
  | { readonly id: number; readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'write' | 'indent'; readonly json: string }

/** What it says: a text, or why there is none. */
export interface YamlAnswer {
  readonly id: number
  readonly text?: string
  readonly problem?: string
}

/** From here on a document is converted on a thread, in bytes: a smaller one takes a few milliseconds. */
export const largeYaml = 8 * 1024

/** Reads YAML as JSON text, on a thread when it is large. 400 when it is none. */
export async function readYaml(bytes: Uint8Array): Promise<string> {
  return bytes.length < largeYaml ? jsonFromYaml(bytes) : thread.ask({ kind: 'read', bytes })
}

/** Writes JSON text as YAML, on a thread when it is large. */
export async function writeYaml(json: string): Promise<string> {
  return json.length < largeYaml ? yamlFromJson(json) : thread.ask({ kind: 'write', json })
}

/** Writes JSON text with two spaces a level, on a thread. */
export function indentJson(json: string): Promise<string> {
  return thread.ask({ kind: 'indent', json })
}

type Question = YamlOrder extends infer Order ? (Order extends YamlOrder ? Omit<Order, 'id'> : never) : never

/** A thread that is there while it is needed, and a little longer. */
class YamlThread {
  readonly #waiting = new Map<number, PromiseWithResolvers<string>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #next = 0

  ask(question: Question): Promise<string> {
    clearTimeout(this.#idle)
    const id = this.#next++
    const waiting = Promise.withResolvers<string>()
    this.#waiting.set(id, waiting)
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage({ ...question, id } as YamlOrder)
    return waiting.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-thread.ts', import.meta.url))
    worker.on('message', (answer: YamlAnswer) => this.#heard(answer))
    worker.on('error', (error: Error) => this.#ended(worker, error))
    return worker
  }

  #heard({ id, text, problem }: YamlAnswer): void {
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
