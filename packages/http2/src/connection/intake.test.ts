import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ConnectionScheduler } from './connection-scheduler.ts'
import { Intake } from './intake.ts'

function intake(scheduler: ConnectionScheduler) {
  const taken: string[] = []
  const socket = new Duplex({ read() {}, write() {} })
  return { socket, taken, intake: new Intake(scheduler, socket, (piece) => void taken.push(piece.toString())) }
}

function contended(): ConnectionScheduler {
  return Object.assign(new ConnectionScheduler(), { isContended: true })
}

describe('reading from a socket', () => {
  test('passes chunks on immediately without contention', () => {
    const { intake: alone, taken } = intake(new ConnectionScheduler())
    for (const piece of ['a', 'b', 'c']) alone.receive(Buffer.from(piece))
    expect(taken).toEqual(['a', 'b', 'c'])
  })

  test('passes one chunk per connection and turn in order under contention', async () => {
    const scheduler = contended()
    const [greedy, modest] = [intake(scheduler), intake(scheduler)]
    for (const piece of ['a', 'b', 'c']) greedy.intake.receive(Buffer.from(piece))
    modest.intake.receive(Buffer.from('x'))
    expect([greedy.taken, modest.taken]).toEqual([['a'], ['x']])
    await nextTurn()
    expect(greedy.taken).toEqual(['a', 'b'])
    scheduler.isContended = false
    greedy.intake.receive(Buffer.from('d'))
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    greedy.intake.receive(Buffer.from('e'))
    expect(greedy.taken).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('pauses the socket above the limit and resumes it later', async () => {
    const { intake: flooded, socket, taken } = intake(contended())
    for (let piece = 0; piece < 4; piece++) flooded.receive(Buffer.alloc(64 * 1024, 'x'))
    expect([socket.isPaused(), taken.length]).toEqual([true, 1])
    while (taken.length < 4) await nextTurn()
    expect(socket.isPaused()).toBe(false)
  })
})
