import { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { InstallFailure, type InstallReason } from './install-failure.ts'

/** A key that a registry lists. */
export interface SigningKey {
  readonly armor: string
}

export interface VerifiedSignature {
  /** The key that signed, by its id in hexadecimal. */
  readonly keyId: string
  /** Since when the key has expired; absent when it has not. */
  readonly expired?: Date
}

/** What the thread is asked. */
export interface SignatureQuestion {
  readonly content: Uint8Array
  readonly signature: Uint8Array
  readonly armors: readonly string[]
  readonly now: number
}

export type SignatureAnswer =
  | { readonly kind: 'verified'; readonly signature: VerifiedSignature }
  | { readonly kind: 'failed'; readonly reason: InstallReason; readonly message: string }

/**
 * Checks a detached signature over bytes: one of the keys must have made it while it was valid. Fails with
 * SignatureInvalid, or with KeyExpired when the key had expired before it signed. Keys come from the registry, so they are
 * checked on a thread of their own that is ended at a deadline: no key holds up the server.
 */
export async function verifySignature(
  content: Uint8Array,
  signature: Uint8Array,
  keys: readonly SigningKey[],
  now: number,
  clock: Clock = systemClock,
): Promise<VerifiedSignature> {
  const armors = keys.map(({ armor }) => armor)
  if (armors.length > mostKeys || armors.some(({ length }) => length > longestArmor))
    throw invalid(
      `its registry lists ${armors.length} keys; at most ${mostKeys} of ${longestArmor} characters are read`,
    )
  const answer = await ask({ content, signature, armors, now }, clock)
  if (answer.kind === 'verified') return answer.signature
  throw new InstallFailure(answer.reason, answer.message)
}

const mostKeys = 32
const longestArmor = 256 * 1024
// In milliseconds. A usual key takes a tenth of a second.
const deadline = 10_000

async function ask(question: SignatureQuestion, clock: Clock): Promise<SignatureAnswer> {
  const worker = new Worker(new URL('./pgp-thread.ts', import.meta.url), {
    workerData: question,
    // Flags of this process may be about its own program.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const patience = new AbortController()
  try {
    return await Promise.race([
      new Promise<SignatureAnswer>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', (error: Error) => reject(invalid(error.message)))
        worker.once('exit', () => reject(invalid('its check ended without an answer')))
      }),
      clock.sleep(deadline, patience.signal).then(() => {
        throw invalid(`its check took longer than ${deadline} ms`)
      }),
    ])
  } finally {
    patience.abort()
    await worker.terminate()
  }
}

function invalid(message: string): InstallFailure {
  return new InstallFailure('SignatureInvalid', message)
}
