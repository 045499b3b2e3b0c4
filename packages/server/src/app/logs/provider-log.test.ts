import { systemClock } from '@hykube/machinery/base'
import { expect, test } from 'vitest'
import { providerLog, providerLogLevel } from './provider-log.ts'

function logged() {
  const lines: string[] = []
  let now = 0
  const write = (name: string) => (message: string) => void lines.push(`${name} ${message}`)
  const logger = { error: write('error'), info: write('info'), debug: write('debug') }
  const log = providerLog(logger, { ...systemClock, monotonic: () => now })
  const say = (level: 'error' | 'warn' | 'info' | 'trace', message: string, source = 'a') =>
    log({ source, configuration: '', level, message })
  return { lines, say, later: (by: number) => (now += by) }
}

test('warnings and errors are always passed on, the rest as detail', () => {
  const { lines, say } = logged()
  for (const level of ['error', 'warn', 'info', 'trace'] as const) say(level, level)
  expect(lines).toEqual(['info error', 'info warn', 'debug info', 'debug trace'])
})

test('a provider that says too much is cut short, which is told, and no other is', () => {
  const { lines, say, later } = logged()
  for (let i = 0; i < 2000; i++) say('error', `line ${i}`)
  say('error', 'of another', 'b')
  expect(lines).toHaveLength(501)
  later(10_000)
  say('error', 'later')
  expect(lines.slice(-2)).toEqual(['info 1500 log lines of the provider were dropped', 'info later'])
})

test('providers are asked to say more when the server is', () => {
  expect([0, 1, 2, 4].map(providerLogLevel)).toEqual([undefined, undefined, 'debug', 'trace'])
})
