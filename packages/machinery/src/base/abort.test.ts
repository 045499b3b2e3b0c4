import { expect, test } from 'vitest'
import { abortable, onAbort } from './abort.ts'

test('a callback runs at once when the signal has aborted', () => {
  let calls = 0
  onAbort(AbortSignal.abort(), () => calls++)
  expect(calls).toBe(1)
})

test('a callback that was taken back does not run', () => {
  const controller = new AbortController()
  let calls = 0
  onAbort(controller.signal, () => calls++)()
  controller.abort()
  expect(calls).toBe(0)
})

test('waiting ends with the signal’s own reason', async () => {
  const controller = new AbortController()
  const waiting = abortable(new Promise(() => {}), controller.signal)
  controller.abort(new Error('shutting down'))
  await expect(waiting).rejects.toThrow('shutting down')
})

test('a promise that is there wins', async () => {
  expect(await abortable(Promise.resolve(1), new AbortController().signal)).toBe(1)
})
