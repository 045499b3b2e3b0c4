import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system that can be filled up. */
export interface SmallDisk {
  readonly directory: string
  /** Fills all free space. */
  fill(): void
  /** Frees the space. */
  empty(): void
  /** Makes it read-only; no file on it may be open for writing. */
  protect(): void
  unprotect(): void
  close(): void
}

/** Creates one in memory; returns the reason when the machine does not allow it. */
export function createSmallDisk(megabytes: number): SmallDisk | string {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', directory])
  if (mounted.status !== 0) {
    rmSync(directory, { recursive: true })
    return `a full disk: no small file system can be mounted here (${String(mounted.stderr ?? mounted.error).trim()})`
  }
  chmodSync(directory, 0o777)
  const filler = join(directory, 'filler')
  return {
    directory,
    fill: () => fillWith(filler),
    empty: () => rmSync(filler, { force: true }),
    protect: () => remount(directory, 'ro'),
    unprotect: () => remount(directory, 'rw'),
    close() {
      spawnSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function remount(directory: string, mode: 'ro' | 'rw'): void {
  const done = spawnSync('mount', ['-o', `remount,${mode}`, directory])
  if (done.status !== 0) throw new Error(`cannot remount ${directory} ${mode}: ${done.stderr}`)
}

function fillWith(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4)) {
      const block = Buffer.alloc(size)
      try {
        for (;;) if (writeSync(file, block) < size) break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(file)
  }
}
