import { encodeKey, type PutOperation, type Space } from '@hykube/server/storage'

/** Measured space; its keys resemble those of objects. */
export const spaces: readonly Space[] = [{ name: 'objects', segments: 6, history: true, skip: 5 }]

/** A source of objects with keys in pseudo-random order. */
export interface Objects {
  /** Number of objects taken so far. */
  readonly made: number
  take(): PutOperation
}

/** Creates at most `most` put operations with 2 KB values and keys of about 70 bytes. */
export function createObjects(most: number): Objects {
  // A stride that is coprime to the count visits every name once, in scattered order.
  const stride = 7919 * 31 + 2
  const template = Buffer.from(JSON.stringify({ metadata: { resourceVersion: '' }, spec: 'x'.repeat(2000) }))
  const stamp = template.indexOf('""') + 1
  let made = 0
  return {
    get made() {
      return made
    },
    take() {
      const number = (made++ * stride) % most
      const name = `bucket-${String(number).padStart(8, '0')}`
      const key = encodeKey('objects', ['root', 'aws.hykube.io', 'aws-s3-buckets', '', `team-${number % 100}`, name])
      return { kind: 'put', key, value: template, stamp, expect: 'absent' }
    },
  }
}
