import { expect, test } from 'vitest'
import { abortable, onAbort } from './abort.ts'

test('onAbort calls back immediately when the signal is already aborted', () => {
  let calls = 0
  onAbort(AbortSignal.abort(), () => calls++)
  expect(calls).toBe(1)
})

test('onAbort does not call back after it is unregistered', () => {
  const controller = new AbortController()
  let calls = 0
  onAbort(controller.signal, () => calls++)()
  controller.abort()
  expect(calls).toBe(0)
})

test('abortable rejects with the signal’s reason', async () => {
  const controller = new AbortController()
  const waiting = abortable(new Promise(() => {}), controller.signal)
  controller.abort(new Error('shutting down'))
  await expect(waiting).rejects.toThrow('shutting down')
})

test('abortable resolves with the promise when the signal does not abort', async () => {
  expect(await abortable(Promise.resolve(1), new AbortController().signal)).toBe(1)
})
