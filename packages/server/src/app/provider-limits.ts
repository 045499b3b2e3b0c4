import { durationFromText, quantityFromText, quantityToInteger } from '@hykube/machinery/amounts'

/** The limits of provider processes, as operators write them. */
export interface ProviderLimitOptions {
  /** Memory as a quantity; enforced on Linux. Default 4Gi. */
  readonly providerMemoryLimit?: string | undefined
  /** The size of one answer as a quantity. Default 8Mi. */
  readonly providerAnswerLimit?: string | undefined
  /** The timeout of calls that change no resource, as a duration. Default 20m. */
  readonly providerCallTimeout?: string | undefined
  /** The timeout of apply calls, as a duration. Default 6h. */
  readonly providerApplyTimeout?: string | undefined
  /** The longest pause without data while a package is downloaded, as a duration. Default 30s. */
  readonly providerFetchTimeout?: string | undefined
}

/** The limits in bytes and milliseconds. */
export interface ProviderLimits {
  readonly memory: number
  readonly answer: number
  readonly callTimeout: number
  readonly applyTimeout: number
  readonly fetchTimeout: number
}

/** Parses the limits and fills in defaults. Throws an error that names the flag of an invalid one. */
export function providerLimitsFrom(given: ProviderLimitOptions): ProviderLimits {
  return {
    memory: limitOf('--provider-memory-limit', given.providerMemoryLimit ?? '4Gi', '32Mi', '1Ti', bytesOf),
    answer: limitOf('--provider-answer-limit', given.providerAnswerLimit ?? '8Mi', '1Mi', '32Mi', bytesOf),
    callTimeout: limitOf('--provider-call-timeout', given.providerCallTimeout ?? '20m', '1s', '6h', millisecondsOf),
    fetchTimeout: limitOf('--provider-fetch-timeout', given.providerFetchTimeout ?? '30s', '1s', '10m', millisecondsOf),
    // At most six hours, because recovery waits that long for a call of another machine.
    applyTimeout: limitOf('--provider-apply-timeout', given.providerApplyTimeout ?? '6h', '1s', '6h', millisecondsOf),
  }
}

/** Parses a quantity or duration and checks its range. Throws an error that names the flag. */
export function limitOf(
  flag: string,
  given: string,
  least: string,
  most: string,
  amountOf: (text: string) => number,
): number {
  const value = tried(() => amountOf(given))
  if (value === undefined || value < amountOf(least) || value > amountOf(most))
    throw new Error(`${flag} is ${JSON.stringify(given)}, but must be from ${least} to ${most}`)
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

/** Parses a duration such as `90s` or `48h` to milliseconds. */
export function millisecondsOf(text: string): number {
  return Number(durationFromText(text) / 1_000_000n)
}
