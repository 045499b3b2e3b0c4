import { durationFromText, quantityFromText, quantityToInteger } from '@hykube/machinery/object'

/** What each process of a provider may take, as an operator writes it. */
export interface ProviderLimitOptions {
  /** How much memory it may have, as a quantity; watched on Linux. Default 4Gi. */
  readonly providerMemoryLimit?: string | undefined
  /** How large its answer to one call may be, as a quantity. Default 16Mi. */
  readonly providerAnswerLimit?: string | undefined
  /** How long it may take for a call that changes nothing outside, as a duration. Default 20m. */
  readonly providerCallTimeout?: string | undefined
  /** How long it may take to make, change or destroy something, as a duration. Default 6h. */
  readonly providerApplyTimeout?: string | undefined
  /** How long a registry or mirror may be silent while its package is fetched, as a duration. Default 30s. */
  readonly providerFetchTimeout?: string | undefined
}

/** The same in bytes and milliseconds. */
export interface ProviderLimits {
  readonly memory: number
  readonly answer: number
  readonly callTimeout: number
  readonly applyTimeout: number
  readonly fetchTimeout: number
}

/** The limits with their defaults. Throws in words, naming the flag, where one can't be. */
export function providerLimitsFrom(given: ProviderLimitOptions): ProviderLimits {
  return {
    memory: limitOf('--provider-memory-limit', given.providerMemoryLimit ?? '4Gi', '32Mi', '1Ti', bytesOf),
    answer: limitOf('--provider-answer-limit', given.providerAnswerLimit ?? '16Mi', '1Mi', '32Mi', bytesOf),
    callTimeout: limitOf('--provider-call-timeout', given.providerCallTimeout ?? '20m', '1s', '6h', millisecondsOf),
    fetchTimeout: limitOf('--provider-fetch-timeout', given.providerFetchTimeout ?? '30s', '1s', '10m', millisecondsOf),
    // What is written down of a call that was begun holds for six hours.
    applyTimeout: limitOf('--provider-apply-timeout', given.providerApplyTimeout ?? '6h', '1s', '6h', millisecondsOf),
  }
}

/** A quantity or duration in its range; otherwise throws, naming the flag. */
export function limitOf(
  flag: string,
  given: string,
  least: string,
  most: string,
  amountOf: (text: string) => number,
): number {
  const value = tried(() => amountOf(given))
  if (value === undefined || value < amountOf(least) || value > amountOf(most))
    throw new Error(`${flag} is ${JSON.stringify(given)}, and must be from ${least} to ${most}`)
  return value
}

function tried(amount: () => number): number | undefined {
  try {
    return amount()
  } catch {
    return undefined
  }
}

function bytesOf(text: string): number {
  return Number(quantityToInteger(quantityFromText(text)))
}

/** A duration such as `90s` or `48h`, in milliseconds. */
export function millisecondsOf(text: string): number {
  return Number(durationFromText(text) / 1_000_000n)
}
