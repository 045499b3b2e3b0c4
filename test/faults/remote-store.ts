import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Message, Request, StoreCall } from './store-protocol.ts'

/** A call without a response, because the store's process ended. */
export class StoreGone extends Error {}

/** A call that the store answered with an error. */
export class StoreFailed extends Error {
  readonly failure: string

  constructor(failure: string, message: string) {
    super(message)
    this.failure = failure
  }
}

/** Callbacks of a follower. */
export interface Listener {
  batch(batch: Message & { readonly changes: unknown }): void
  ended(reason: string): void
}

/** A store in its own process, which can be killed, restarted, paused and resumed. */
export class RemoteStore {
  readonly url: string
  #child: ChildProcess | undefined
  #ready = false
  #calls = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()
  #listeners = new Map<string, Listener>()
  #next = 0
  /** Error message of the last failed start. */
  refusal = ''

  constructor(url: string) {
    this.url = url
  }

  get isReady(): boolean {
    return this.#ready
  }

  /** Starts the process; returns false when the store can't be opened. */
  async start(): Promise<boolean> {
    const child = fork(fileURLToPath(new URL('store-process.ts', import.meta.url)), [this.url], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    return new Promise((resolve) => {
      child.on('message', (message: Message) => {
        if ('ready' in message) {
          this.#ready = true
          resolve(true)
        } else if ('refused' in message) {
          this.refusal = message.refused
          child.kill('SIGKILL')
        } else this.#hear(message)
      })
      child.on('exit', () => {
        this.#gone(child)
        resolve(false)
      })
    })
  }

  call(call: StoreCall): Promise<Answer> {
    const child = this.#child
    if (child === undefined || !this.#ready) return Promise.reject(new StoreGone('the store is not running'))
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject })
      this.#say(child, { id, call })
    })
  }

  /** Follows from a revision; returns false when the store is not running. */
  follow(name: string, after: number, listener: Listener): boolean {
    if (this.#child === undefined || !this.#ready) return false
    this.#listeners.set(name, listener)
    this.#say(this.#child, { follow: name, after })
    return true
  }

  /** Kills the process without any cleanup. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const gone = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await gone
  }

  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  #say(child: ChildProcess, request: Request): void {
    child.send(request, () => {})
  }

  #hear(message: Message): void {
    if ('follower' in message) {
      const listener = this.#listeners.get(message.follower)
      if ('changes' in message) listener?.batch(message)
      else listener?.ended(message.ended)
    } else if ('id' in message) {
      const call = this.#calls.get(message.id)
      this.#calls.delete(message.id)
      if ('answer' in message) call?.resolve(message.answer)
      else call?.reject(new StoreFailed(message.failure, message.message))
    }
  }

  #gone(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = undefined
    this.#ready = false
    const calls = [...this.#calls.values()]
    const listeners = [...this.#listeners.values()]
    this.#calls = new Map()
    this.#listeners = new Map()
    for (const call of calls) call.reject(new StoreGone('the process of the store ended'))
    for (const listener of listeners) listener.ended('gone')
  }
}
