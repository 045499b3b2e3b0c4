/** Guarantee of a provider for repeated calls: an identity known in advance, an idempotency token, or none. */
export const sorts = ['named', 'token', 'blind'] as const
export const operations = [
  'create',
  'update',
  'replace-delete-first',
  'replace-create-first',
  'delete',
  'batch-create',
  'batch-update',
  'wave',
] as const
/** Step of the journal at which the server is killed. `in-flight`: the provider is executing the call. */
export const steps = [
  'before-intent',
  'after-intent',
  'in-flight',
  'after-answer',
  'after-result',
  'recovering',
  'before-wave',
  'after-wave',
  'never',
] as const
/** `server` kills the server alone, so that providers continue; `tree` kills all processes at once. */
export const kills = ['server', 'tree'] as const
/** Additional fault of the provider's first call. `lost`: it took effect, but the response was lost. */
export const faults = ['none', 'crash', 'timeout', 'lost'] as const

export type Sort = (typeof sorts)[number]
export type Operation = (typeof operations)[number]
export type Step = (typeof steps)[number]
export type Kill = (typeof kills)[number]
export type ProviderFault = (typeof faults)[number]

/** One combination of faults. */
export interface Case {
  readonly sort: Sort
  readonly operation: Operation
  readonly step: Step
  readonly kill: Kill
  readonly fault: ProviderFault
}

/** All possible cases, in an order that the seed determines. */
export function shuffledCases(seed: number): Case[] {
  const all = sorts.flatMap((sort) =>
    operations.flatMap((operation) =>
      steps.flatMap((step) =>
        kills.flatMap((kill) =>
          faults.flatMap((fault) => {
            const one = { sort, operation, step, kill, fault }
            return isPossible(one) ? [one] : []
          }),
        ),
      ),
    ),
  )
  const random = randomNumbers(seed)
  return all
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

/** Formats a case for messages. */
export function nameOf({ sort, operation, step, kill, fault }: Case): string {
  return `${operation} of ${sort}, ${step} ${kill}, provider ${fault}`
}

/** Pseudo-random numbers in [0, 1) from a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function isPossible({ sort, operation, step, kill, fault }: Case): boolean {
  // Waves concern the plan, not single calls.
  if ((operation === 'wave') !== (step === 'before-wave' || step === 'after-wave')) return false
  if (operation === 'wave' && fault !== 'none') return false
  // Without a kill its variant is irrelevant.
  if (step === 'never') return fault !== 'none' && kill === 'server'
  // A faulty call is in flight until it is recovered.
  if (step === 'in-flight') return fault === 'none'
  if (step === 'recovering') return fault !== 'none'
  // A create with an unknown outcome has no response, so steps after the response are impossible.
  const creates = operation === 'create' || operation.startsWith('replace') || operation === 'batch-create'
  return !(sort === 'blind' && creates && fault !== 'none' && step.startsWith('after-') && step !== 'after-intent')
}
