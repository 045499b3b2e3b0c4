import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dynamicFromJson, dynamicToJson } from '@hykube/provider-sdk/provider'
import { expect, onTestFinished, test } from 'vitest'
import { localMachine } from './local-machine.ts'
import { maxStderr } from './run-process.ts'
import { type Call, CommandFailure, type Defaults, Scripts } from './scripts.ts'

const plain: Defaults = { environment: {}, sensitive: {}, directory: null, interpreter: [], timeout: 20, secrets: [] }
const execution = {
  environment: null,
  sensitive_environment: null,
  working_directory: null,
  interpreter: ['/bin/sh', '-c'],
  timeout: null,
}

function callOf(script: string, more: Partial<Call> = {}): Call {
  const { signal } = new AbortController()
  return {
    operation: 'create',
    words: [script],
    execution,
    request: { input: dynamicFromJson('{"n":1}') },
    signal,
    ...more,
  }
}

async function failureOf(call: Call, defaults: Defaults = plain): Promise<CommandFailure> {
  const failed = await new Scripts(localMachine, defaults).call(call).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(CommandFailure)
  return failed as CommandFailure
}

test('runs a command with JSON input and output', async () => {
  const expected = { id: 'a', input: dynamicFromJson('{"n":12345678901234567890}') }
  const call = callOf(`printf '{"id":"b","output":'; cat; printf '}'`, { request: expected })
  const answer = await new Scripts(localMachine, plain).call(call)
  expect(answer?.id).toBe('b')
  expect(dynamicToJson(answer!.output!)).toBe('{"id":"a","input":{"n":12345678901234567890},"operation":"create"}')
})

test.each([
  ['nothing', 'cat >/dev/null', {}],
  ['null', 'echo null', null],
])('accepts %s as output', async (_, script, expected) => {
  expect(await new Scripts(localMachine, plain).call(callOf(script))).toEqual(expected)
})

test.each([
  ['text', 'echo done', 'it is not JSON'],
  ['a list', 'echo []', 'not an object'],
  ['fields of its own', `echo '{"size":1}'`, 'the field "size"'],
  ['a wrong id', `echo '{"id":7}'`, 'its id is not a string'],
])('rejects %s as output, with a remedy', async (_, script, expected) => {
  await expect(new Scripts(localMachine, plain).call(callOf(script))).rejects.toMatchObject({
    detail: expect.stringContaining(expected),
    place: ['create'],
  })
})

test('runs without a shell unless one is configured', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'scripts-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const words = ['/usr/bin/env', 'printf', '{"output":"%s"}', '$(touch x); `id` $HOME']
  const call = callOf('', { words, execution: { ...execution, interpreter: null, working_directory: directory } })
  const answer = await new Scripts(localMachine, plain).call(call)
  expect(dynamicToJson(answer!.output!)).toBe('"$(touch x); `id` $HOME"')
})

test('passes the configured variables, and none of the provider', async () => {
  process.env.OF_THE_PROVIDER = 'x'
  onTestFinished(() => void delete process.env.OF_THE_PROVIDER)
  const defaults = { ...plain, environment: { A: '1', B: '1' }, sensitive: { C: '1' } }
  const own = { ...execution, environment: { B: '2' }, sensitive_environment: { D: '2' } }
  const script = `printf '{"output":"%s"}' "$A$B$C$D$OF_THE_PROVIDER"`
  const answer = await new Scripts(localMachine, defaults).call(callOf(script, { execution: own }))
  expect(dynamicToJson(answer!.output!)).toBe('"1212"')
})

test('reports a failure with exit code and standard error, without secrets', async () => {
  const key = '-----BEGIN-----\nline-one-of-it\nline-two-of-it\n-----END-----'
  const defaults = { ...plain, sensitive: { TOKEN: 'hunter2' }, secrets: [key] }
  const own = { ...execution, sensitive_environment: { PASSWORD: 's3cret' } }
  const script = 'echo "no $TOKEN $PASSWORD line-two-of-it and old-output" >&2; exit 3'
  const secrets = [dynamicFromJson('{"token":"old-output"}')]
  const { message, detail } = await failureOf(callOf(script, { execution: own, secrets }), defaults)
  expect(message).toBe('The create command failed')
  expect(detail).toContain('exit code 3')
  const hidden = '(sensitive value)'
  expect(detail).toContain(`no ${hidden} ${hidden} ${hidden} and ${hidden}`)
  expect(detail).not.toMatch(/hunter2|s3cret|line-two|old-output/)
})

test('keeps the output of a failed command about its object', async () => {
  const { answer } = await failureOf(callOf(`echo '{"id":"half"}'; exit 1`))
  expect(answer).toEqual({ id: 'half' })
  const late = callOf(`echo '{"id":"late"}'; exec sleep 600`, { execution: { ...execution, timeout: 3 } })
  expect((await failureOf(late)).answer).toEqual({ id: 'late' })
})

test('kills a command with all its processes after the timeout', async () => {
  const call = callOf('sleep 600 & echo $! >&2; wait', { execution: { ...execution, timeout: 2 } })
  const { detail } = await failureOf(call)
  expect(detail).toContain('it exceeded the timeout of 2 s')
  const child = Number(/Standard error:\n(\d+)/.exec(detail)![1])
  await expect.poll(() => isAlive(child)).toBe(false)
})

test('does not wait for background processes of a command', async () => {
  const answer = await new Scripts(localMachine, plain).call(callOf(`sleep 60 & echo '{"output":1}'`))
  expect(dynamicToJson(answer!.output!)).toBe('1')
})

test('kills a command when the provider is stopped', async () => {
  const stop = new AbortController()
  const failed = failureOf(callOf('echo started >&2; exec sleep 600', { signal: stop.signal }))
  stop.abort()
  expect((await failed).detail).toContain('the provider is being stopped')
})

test('kills a command with too much output, and bounds its standard error', async () => {
  expect((await failureOf(callOf('yes'))).detail).toContain('it wrote more than 4194304 bytes')
  const { detail } = await failureOf(callOf('head -c 1000000 /dev/zero | tr "\\0" x >&2; echo "the end" >&2; exit 1'))
  expect(detail).toContain('the end')
  expect(detail.length).toBeLessThan(maxStderr + 500)
})

test('reports a missing program', async () => {
  const call = callOf('', { words: ['no-such-program'], execution: { ...execution, interpreter: null } })
  expect((await failureOf(call)).detail).toContain('the program or the working directory does not exist')
})

// A killed process may be a zombie until its parent waits for it.
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
