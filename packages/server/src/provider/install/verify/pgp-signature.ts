import { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { InstallFailure, type InstallReason } from '../install-failure.ts'

/** A public key listed by a registry. */
export interface SigningKey {
  readonly armor: string
}

export interface VerifiedSignature {
  /** The id of the signing key in hexadecimal. */
  readonly keyId: string
  /** When the key expired; absent if it has not. */
  readonly expired?: Date
}

/** The input of the worker thread. */
export interface VerificationInput {
  readonly content: Uint8Array
  readonly signature: Uint8Array
  readonly armors: readonly string[]
  readonly now: number
}

export type VerificationResult =
  | { readonly kind: 'verified'; readonly signature: VerifiedSignature }
  | { readonly kind: 'failed'; readonly reason: InstallReason; readonly message: string }

/**
 * Verifies a detached signature: one of the keys must have made it while the key was valid. Fails with SignatureInvalid, or
 * with KeyExpired if the key had expired before it signed. The keys are untrusted input from the registry, so a worker
 * thread parses them and is terminated at a deadline; a hostile key can't block the event loop.
 */
export async function verifySignature(
  content: Uint8Array,
  signature: Uint8Array,
  keys: readonly SigningKey[],
  now: number,
  clock: Clock = systemClock,
): Promise<VerifiedSignature> {
  const armors = keys.map(({ armor }) => armor)
  if (armors.length > maxKeys || armors.some(({ length }) => length > maxArmorLength))
    throw invalid(
      `its registry lists ${armors.length} keys; at most ${maxKeys} of ${maxArmorLength} characters are accepted`,
    )
  const answer = await ask({ content, signature, armors, now }, clock)
  if (answer.kind === 'verified') return answer.signature
  throw new InstallFailure(answer.reason, answer.message)
}

const maxKeys = 32
const maxArmorLength = 256 * 1024
// In milliseconds. A usual key takes 100 ms.
const deadline = 10_000

async function ask(question: VerificationInput, clock: Clock): Promise<VerificationResult> {
  const worker = new Worker(new URL('./pgp-thread.ts', import.meta.url), {
    workerData: question,
    // Node flags of this process, such as --import or --inspect, must not apply to the worker.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const timer = new AbortController()
  try {
    return await Promise.race([
      new Promise<VerificationResult>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', (error: Error) => reject(invalid(error.message)))
        worker.once('exit', () => reject(invalid('the verification thread exited without a result')))
      }),
      clock.sleep(deadline, timer.signal).then(() => {
        throw invalid(`its verification took longer than ${deadline} ms`)
      }),
    ])
  } finally {
    timer.abort()
    await worker.terminate()
  }
}

function invalid(message: string): InstallFailure {
  return new InstallFailure('SignatureInvalid', message)
}
