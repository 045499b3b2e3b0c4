import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../tools/root.ts'

test('an installation without a terminal reports its progress, and its exit code', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-progress-'))
  for (const name of ['a', '@b/c', '@b/d', '.bin'])
    mkdirSync(join(directory, 'node_modules', name), { recursive: true })
  const untilInputEnds = "process.stdin.on('end', () => process.exit(3)).resume()"
  const args = [join(root, 'bin/report-progress.cjs'), '20', process.execPath, '-e', untilInputEnds]
  const reporter = spawn(process.execPath, args, { cwd: directory })
  const [line] = await once(reporter.stderr, 'data')
  expect(String(line)).toMatch(/^hykube: still installing after 0 s, 3 packages in node_modules\n/)
  reporter.stdin.end()
  expect(await once(reporter, 'exit')).toEqual([3, null])
  rmSync(directory, { recursive: true })
})
