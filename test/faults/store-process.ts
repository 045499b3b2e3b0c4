// Process that holds a store during fault injection. Its parent controls it by messages, and it exits with its parent.
import {
  type Change,
  decodeKey,
  type Entry,
  encodeKey,
  type Key,
  type Operation,
  StorageError,
  type Store,
} from '@hykube/server/storage'
import type { LoggedChange, WrittenOperation } from './history/history.ts'
import { openFaultStore } from './open-fault-store.ts'
import type { Answer, Message, Request, StoreCall } from './store-protocol.ts'
import { nameOf, padded } from './value.ts'

const url = process.argv[2]!
process.on('disconnect', () => process.exit())
const store = await openFaultStore(url).catch((error: Error) => {
  say({ refused: error.message })
  return undefined
})
if (store !== undefined) {
  process.on('message', (request: Request) => void serve(store, request))
  say({ ready: true })
}

function say(message: Message): void {
  if (process.connected) process.send!(message)
}

async function serve(store: Store, request: Request): Promise<void> {
  if ('follow' in request) return follow(store, request.follow, request.after)
  const { id, call } = request
  try {
    say({ id, answer: await carryOut(store, call) })
  } catch (error) {
    const failure = error instanceof StorageError ? error.failure : 'bug'
    say({ id, failure, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

async function carryOut(store: Store, call: StoreCall): Promise<Answer> {
  switch (call.kind) {
    case 'commit':
      return commit(store, call)
    case 'get': {
      const entry = await store.get(keyFrom(call.key), at(call.revision))
      return { kind: 'entry', ...(entry && { entry: shown(entry) }) }
    }
    case 'scan': {
      const { entries, revision } = await store.scan({ space: call.space }, at(call.revision))
      return { kind: 'snapshot', snapshot: { revision, entries: entries.map((entry) => ({ ...shown(entry) })) } }
    }
    case 'now':
      return { kind: 'revision', revision: await store.now() }
    case 'compact':
      return { kind: 'revision', revision: await store.compact(call.revision) }
    default:
      return call satisfies never
  }
}

async function commit(store: Store, call: StoreCall & { kind: 'commit' }): Promise<Answer> {
  const conditions = call.conditions.map(({ key, expect }) => ({ key: keyFrom(key), expect }))
  const outcome = await store.commit({ operations: call.operations.map(operationFrom), conditions })
  if (outcome.kind === 'committed') return outcome
  const failures = outcome.failures.map(({ key, current }) => ({
    key: keyTo(key),
    ...(current !== undefined && { current }),
  }))
  return { kind: 'refused', failures }
}

async function follow(store: Store, follower: string, after: number): Promise<void> {
  try {
    for await (const { changes, revision } of store.changes(after)) {
      say({ follower, changes: changes.map(changeTo), revision })
    }
    say({ follower, ended: 'closed' })
  } catch (error) {
    say({ follower, ended: error instanceof StorageError ? error.failure : String(error) })
  }
}

function operationFrom({ kind, key, value, expect }: WrittenOperation): Operation {
  return { kind, key: keyFrom(key), value: padded(value), expect }
}

function changeTo({ kind, revision, key, value, previous }: Change): LoggedChange {
  return { kind, revision, key: keyTo(key), value: nameOf(value), ...(previous !== undefined && { previous }) }
}

function shown({ key, value, revision }: Entry): { key: string; value: string; revision: number } {
  return { key: keyTo(key), value: nameOf(value), revision }
}

function keyFrom(key: string): Key {
  const slash = key.indexOf('/')
  return encodeKey(key.slice(0, slash), [key.slice(slash + 1)])
}

function keyTo(key: Key): string {
  const { space, segments } = decodeKey(key)
  return `${space}/${segments[0]}`
}

function at(revision: number | undefined): { revision?: number } {
  return revision === undefined ? {} : { revision }
}
