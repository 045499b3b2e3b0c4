import type { Diagnosis } from '@hykube/server/app'
import { type Finding, ok } from './finding.ts'

export type { Diagnosis }

/** Facts of this machine that a diagnosis is compared with. */
export interface Circumstances {
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  readonly skew: number
  readonly now: number
}

/** The findings of a diagnosis. */
export function judge(diagnosis: Diagnosis, circumstances: Circumstances): Finding[] {
  return [
    integrity(diagnosis),
    writeAheadLog(diagnosis),
    disk(diagnosis),
    ...diagnosis.certificates.filter(({ name }) => name !== 'server').map((each) => certificate(each, circumstances)),
    clockHere(circumstances),
    clockThere(diagnosis),
    openFiles(diagnosis),
    memory(diagnosis),
    ...diagnosis.processes.map(providerProcess),
  ].filter((finding) => finding !== undefined)
}

function integrity({ store: { kind, bytes, keys, integrity: found } }: Diagnosis): Finding {
  const size = `${keys} entries, ${bytesText(bytes)}`
  if (found === undefined)
    return ok('store', `${kind}, ${size}${kind === 'sqlite' ? '; integrity not checked (--deep checks it)' : ''}`)
  if (found.length === 0) return ok('store', `${kind}, ${size}, integrity checked`)
  return {
    check: 'store',
    level: 'problem',
    message: `the file is damaged: ${found[0]}${found.length > 1 ? ` and ${found.length - 1} more` : ''}`,
    advice: 'Stop the server, check the disk, and restore the last backup:  hykube restore FILE --data-dir NEW',
  }
}

function writeAheadLog({ store: { walBytes } }: Diagnosis): Finding | undefined {
  if (walBytes === undefined) return undefined
  if (walBytes < longWalBytes) return ok('store', `write-ahead log of ${bytesText(walBytes)}`)
  return {
    check: 'store',
    level: 'warning',
    message: `the write-ahead log has ${bytesText(walBytes)}, which delays commits`,
    advice: 'The disk is too slow for the writes: look for "checkpoint" in the log of the server',
  }
}

function disk({ disk: { directory, freeBytes, totalBytes }, store }: Diagnosis): Finding {
  const share = `${bytesText(freeBytes)} of ${bytesText(totalBytes)} free in ${directory}`
  if (freeBytes >= Math.max(1e9, store.kind === 'sqlite' ? store.bytes : 0)) return ok('disk', share)
  return {
    check: 'disk',
    level: freeBytes < 1e8 ? 'problem' : 'warning',
    message: `only ${share}`,
    advice:
      store.kind === 'sqlite' && freeBytes >= 1e9
        ? 'A backup needs as much space as the store: free space, or move the directory'
        : 'Free space, or move the directory: writes fail when the disk is full',
  }
}

function certificate(
  { name, ends }: { readonly name: string; readonly ends: string },
  { now }: Circumstances,
): Finding {
  const days = Math.floor((Date.parse(ends) - now) / 86_400_000)
  const what = name === 'ca' ? 'of the CA' : `of ${name}`
  if (days >= 30) return ok('certificate', `${what} is valid for ${days} more days`)
  return {
    check: 'certificate',
    level: days < 0 ? 'problem' : 'warning',
    message: days < 0 ? `${what} has expired` : `${what} expires in ${days} days`,
    advice:
      name === 'ca'
        ? 'Move ca.crt and ca.key away and restart the server: it creates new ones, and all users need a new kubeconfig'
        : 'Restart the server: it issues a new one and rewrites admin.kubeconfig',
  }
}

function clockHere({ skew }: Circumstances): Finding {
  const seconds = Math.abs(skew) / 1000
  if (seconds < 5) return ok('clock', 'of the server and of this machine agree')
  return {
    check: 'clock',
    level: seconds > 60 ? 'problem' : 'warning',
    message: `of the server is ${seconds.toFixed(0)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`,
    advice: 'Certificates and tokens depend on it: synchronize both with a time server (timedatectl set-ntp true)',
  }
}

function clockThere({ clock: { moved } }: Diagnosis): Finding | undefined {
  if (Math.abs(moved) < 5000) return undefined
  return {
    check: 'clock',
    level: 'warning',
    message: `of the server was moved ${moved > 0 ? 'ahead' : 'back'} by ${(Math.abs(moved) / 1000).toFixed(0)} s since it started`,
    advice:
      'Expiry of plans and leases depends on it. Slew the clock instead of setting it. A machine that slept needs no action',
  }
}

function openFiles({ limits: { openFiles: used, openFilesLimit: limit } }: Diagnosis): Finding | undefined {
  if (limit === undefined || used === undefined) return undefined
  const share = `${used} of ${limit} open files`
  if (limit >= 4096 && used < 0.8 * limit) return ok('limits', share)
  return {
    check: 'limits',
    level: used >= 0.8 * limit ? 'problem' : 'warning',
    message:
      used >= 0.8 * limit ? `${share} are in use` : `at most ${limit} open files: each client and provider needs some`,
    advice: 'Raise the limit of the server:  ulimit -n 65536 (systemd: LimitNOFILE=65536)',
  }
}

function memory({ limits: { memory: used, memoryLimit: limit } }: Diagnosis): Finding {
  const share = `${bytesText(used)} of ${bytesText(limit)} memory`
  if (used < 0.8 * limit && limit >= 256e6) return ok('limits', share)
  return {
    check: 'limits',
    level: used >= 0.9 * limit ? 'problem' : 'warning',
    message: used < 0.8 * limit ? `only ${bytesText(limit)} memory` : `${share} in use`,
    advice: 'Give the server, or its control group, more memory: 512 MB, plus 300 MB for each million objects',
  }
}

function providerProcess({ source, version, pid, users, memory: used }: Diagnosis['processes'][number]): Finding {
  const size = used === undefined ? '' : `, ${bytesText(used)}`
  const name = source.replace(/^registry\.terraform\.io\//, '')
  return ok('providers', `${name} ${version} runs as process ${pid}${size}${users > 0 ? ', busy' : ''}`)
}

const longWalBytes = 256 * 1024 * 1024

function bytesText(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(bytes >= 1e8 ? 0 : 1)} MB`
}
