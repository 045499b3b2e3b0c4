import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, startServer, type TestServer } from '../e2e/server.ts'
import { describeWith } from '../real-parts/index.ts'

describeWith(['go-clients'], 'clients in Go', (program) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server.remove())

  test.each([
    ['typed', 'typed clients write and read protobuf'],
    ['metadata', 'the metadata client reads protobuf of every kind'],
    ['dynamic', 'the dynamic client works on custom kinds'],
    ['informers', 'informers begin with one watch and follow it'],
    ['leader-election', 'one leads at a time, and another follows'],
    ['server-side-apply', 'typed configurations are applied, with conflicts and force'],
    ['manager', 'a controller-runtime manager with finalizers and owned objects'],
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
