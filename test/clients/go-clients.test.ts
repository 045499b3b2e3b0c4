import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, startServer, type TestServer } from '../e2e/server.ts'
import { describeWith } from '../real-parts/index.ts'

describeWith(['go-clients'], 'Go clients', (program) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server.remove())

  test.each([
    ['typed', 'typed clients write and read protobuf'],
    ['metadata', 'the metadata client reads protobuf of every kind'],
    ['dynamic', 'the dynamic client works on custom kinds'],
    ['informers', 'informers start with one streaming watch and follow it'],
    ['leader-election', 'leader election has one leader at a time and a successor'],
    ['server-side-apply', 'server-side apply reports conflicts and supports force'],
    ['manager', 'a controller-runtime manager handles finalizers and owned objects'],
  ])(
    '%s: %s',
    async (name) => {
      const { code, stdout, stderr } = await client(program, server)([name])
      expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' })
      expect(stdout).toContain(`ok ${name}`)
    },
    120_000,
  )
})
