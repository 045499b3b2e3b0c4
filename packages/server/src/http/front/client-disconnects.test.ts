import { isAbortError } from '@hykube/machinery/base'
import { expect, test } from 'vitest'
import { ClientDisconnects } from './client-disconnects.ts'

test('aborts the signal when the client disconnects', () => {
  const client = new ClientDisconnects().begin()
  const { signal } = client
  expect(signal.aborted).toBe(false)
  client.disconnect()
  expect(signal.aborted).toBe(true)
  expect(isAbortError(signal.reason)).toBe(true)
})

test('gives an aborted signal after the client disconnected', () => {
  const client = new ClientDisconnects().begin()
  client.disconnect()
  expect(client.signal.aborted).toBe(true)
})

test('disconnects current and later requests when the server stops', () => {
  const clients = new ClientDisconnects()
  const early = clients.begin()
  clients.stop()
  expect(early.signal.aborted).toBe(true)
  expect(clients.begin().signal.aborted).toBe(true)
})
