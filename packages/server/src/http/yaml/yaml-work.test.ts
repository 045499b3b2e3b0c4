import { expect, test } from 'vitest'
import { readYaml } from './yaml-work.ts'

// The library needs far longer than the limit for this many explicit keys.
const slow = Buffer.from('? a\n'.repeat(700_000))
const quick = Buffer.from(`a: ${'b'.repeat(10_000)}\n`)

test('rejects a body that takes too long and converts the next one', { timeout: 30_000 }, async () => {
  const rejected = expect(readYaml(slow)).rejects.toThrow('send the object as JSON')
  const converted = readYaml(quick)
  await rejected
  expect(await converted).toBe(`{"a":"${'b'.repeat(10_000)}"}`)
})

test('drops a queued body whose client disconnected', { timeout: 30_000 }, async () => {
  const client = { isDisconnected: false, signal: AbortSignal.abort() }
  const first = readYaml(quick)
  const second = readYaml(quick, client)
  client.isDisconnected = true
  await expect(second).rejects.toThrow('aborted')
  await first
})
