/** Every reason of a failed installation; each is the `reason` of the condition Installed. */
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
 * A package that could not be found, verified, unpacked or stored; no part of it remains on disk. The message states the
 * attempted operation, its object and a remedy, and never contains a token.
 */
export class InstallFailure extends Error {
  readonly reason: InstallReason

  constructor(reason: InstallReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InstallFailure'
    this.reason = reason
  }

  /** A later retry may succeed although nothing was changed. */
  get transient(): boolean {
    return this.reason === 'RegistryUnreachable' || this.reason === 'Timeout'
  }

  /** Converts a caught error. Unknown errors come from the file system (disk full, permission denied): StorageFailed. */
  static from(error: unknown, attempt: string): InstallFailure {
    if (error instanceof InstallFailure) return error
    const { message } = error as Error
    return new InstallFailure('StorageFailed', `cannot ${attempt}: ${message}`, { cause: error })
  }
}

/** Prefixes a failure's message with the operation that it was part of, unless it has that prefix already. */
export function withOperation(error: unknown, attempt: string): InstallFailure {
  const failure = InstallFailure.from(error, attempt)
  if (failure.message.startsWith(`cannot ${attempt}`)) return failure
  return new InstallFailure(failure.reason, `cannot ${attempt}: ${failure.message}`, { cause: failure })
}
