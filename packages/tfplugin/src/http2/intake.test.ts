import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { Intake } from './intake.ts'
import { shareTurns } from './shared-turns.ts'

afterEach(() => shareTurns(false))

function intake() {
  const taken: string[] = []
  const socket = new Duplex({ read() {}, write() {} })
  return { socket, taken, intake: new Intake(socket, (piece) => void taken.push(piece.toString())) }
}

describe('reading from a socket', () => {
  test('passes chunks on immediately while turns are not shared', () => {
    const { intake: alone, taken } = intake()
    for (const piece of ['a', 'b', 'c']) alone.receive(Buffer.from(piece))
    expect(taken).toEqual(['a', 'b', 'c'])
  })

  test('passes one chunk per connection and turn in order while turns are shared', async () => {
    shareTurns(true)
    const [greedy, modest] = [intake(), intake()]
    for (const piece of ['a', 'b', 'c']) greedy.intake.receive(Buffer.from(piece))
    modest.intake.receive(Buffer.from('x'))
    expect([greedy.taken, modest.taken]).toEqual([['a'], ['x']])
    await nextTurn()
    expect(greedy.taken).toEqual(['a', 'b'])
    shareTurns(false)
    greedy.intake.receive(Buffer.from('d'))
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    greedy.intake.receive(Buffer.from('e'))
    expect(greedy.taken).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('pauses the socket above the limit and resumes it later', async () => {
    shareTurns(true)
    const { intake: flooded, socket, taken } = intake()
    for (let piece = 0; piece < 4; piece++) flooded.receive(Buffer.alloc(64 * 1024, 'x'))
    expect([socket.isPaused(), taken.length]).toEqual([true, 1])
    while (taken.length < 4) await nextTurn()
    expect(socket.isPaused()).toBe(false)
  })
})
