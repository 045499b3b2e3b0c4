/** Every reason why a package could not be installed, fit for the reason of a condition. */
export const installReasons = [
  'InvalidSource',
  'SourceNotAllowed',
  'NotFound',
  'VersionNotFound',
  'ProtocolUnsupported',
  'PlatformUnsupported',
  'RegistryUnreachable',
  'RegistryInvalid',
  'AccessDenied',
  'InsecureUrl',
  'TooManyRedirects',
  'Timeout',
  'TooLarge',
  'ChecksumMismatch',
  'SignatureInvalid',
  'SignatureMissing',
  'KeyExpired',
  'LockMismatch',
  'ArchiveInvalid',
  'ArchiveUnsafe',
  'ExecutableMissing',
  'StorageFailed',
  'Canceled',
] as const

export type InstallReason = (typeof installReasons)[number]

/**
 * A package that could not be found, verified, unpacked or stored; nothing of it was left behind. The message says what
 * was attempted, on what, and what to do, and never holds a token.
 */
export class InstallFailure extends Error {
  readonly reason: InstallReason

  constructor(reason: InstallReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InstallFailure'
    this.reason = reason
  }

  /** Whether trying again later may help without anybody changing anything. */
  get transient(): boolean {
    return this.reason === 'RegistryUnreachable' || this.reason === 'Timeout'
  }

  /** Whatever was caught, as a failure; what is not known is one of the machine: a full disk, a missing permission. */
  static from(error: unknown, attempt: string): InstallFailure {
    if (error instanceof InstallFailure) return error
    const { message } = error as Error
    return new InstallFailure('StorageFailed', `cannot ${attempt}: ${message}`, { cause: error })
  }
}

/** The same failure, told as part of something larger. */
export function within(error: unknown, attempt: string): InstallFailure {
  const failure = InstallFailure.from(error, attempt)
  if (failure.message.startsWith(`cannot ${attempt}`)) return failure
  return new InstallFailure(failure.reason, `cannot ${attempt}: ${failure.message}`, { cause: failure })
}
