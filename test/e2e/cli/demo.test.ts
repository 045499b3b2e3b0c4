import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { program } from './hykube.ts'

test('the demo creates a company, changes it by hand and repairs it in less than a minute', {
  timeout: 240_000,
}, async () => {
  const started = performance.now()
  const { code, stdout, stderr } = await new Promise<{ code: number; stdout: string; stderr: string }>((done) =>
    execFile(program, ['demo', '--latency', '20'], { maxBuffer: 1 << 26 }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), stdout: out, stderr: err }),
    ),
  )
  expect(code, stderr).toBe(0)
  expect(stdout.match(/^(Plan:|Drift:|No changes|Apply complete).*$/gm)).toEqual([
    'No changes.',
    'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.',
    'Plan: 60 to add, 0 to change, 0 to destroy.',
    'Apply complete! Resources: 60 added, 0 changed, 0 destroyed.',
    'No changes.',
    'Drift: 2 changed, 1 deleted.',
    'Plan: 1 to add, 2 to change, 0 to destroy.',
    'Apply complete! Resources: 1 added, 2 changed, 0 destroyed.',
  ])
  // A slow machine that is busy besides may take three.
  expect(performance.now() - started).toBeLessThan(180_000)
})
