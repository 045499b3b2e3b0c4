/** What a provider promises: an identity known before, a token, or nothing. */
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
/** Where in the journal the server is when it is killed. `in-flight`: the provider has the call. */
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
/** How: the server alone, so that providers go on; or everything at one moment. */
export const kills = ['server', 'tree'] as const
/** What goes wrong with the provider's first call besides. `lost`: it was done, and the answer never came. */
export const faults = ['none', 'crash', 'timeout', 'lost'] as const

export type Sort = (typeof sorts)[number]
export type Operation = (typeof operations)[number]
export type Step = (typeof steps)[number]
export type Kill = (typeof kills)[number]
export type ProviderFault = (typeof faults)[number]

/** One way in which things go wrong. */
export interface Case {
  readonly sort: Sort
  readonly operation: Operation
  readonly step: Step
  readonly kill: Kill
  readonly fault: ProviderFault
}

/** Every case that can happen, in an order that follows from the seed. */
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

/** A case for people. */
export function nameOf({ sort, operation, step, kill, fault }: Case): string {
  return `${operation} of ${sort}, ${step} ${kill}, provider ${fault}`
}

/** Numbers from 0 to 1 that follow from a seed. */
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
  // Waves are about the plan, not about calls.
  if ((operation === 'wave') !== (step === 'before-wave' || step === 'after-wave')) return false
  if (operation === 'wave' && fault !== 'none') return false
  // Nobody is killed: it does not matter how.
  if (step === 'never') return fault !== 'none' && kill === 'server'
  // A call that goes wrong is in flight until it is recovered.
  if (step === 'in-flight') return fault === 'none'
  if (step === 'recovering') return fault !== 'none'
  // What nobody knows has no answer.
  const creates = operation === 'create' || operation.startsWith('replace') || operation === 'batch-create'
  return !(sort === 'blind' && creates && fault !== 'none' && step.startsWith('after-') && step !== 'after-intent')
}
