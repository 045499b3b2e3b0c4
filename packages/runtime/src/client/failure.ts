import { type Reason, reasonCodes, type StatusDetails, StatusError } from '@hykube/machinery/status'

/** A list can't go on where it was: its revision is compacted. The token, if there is one, goes on at the present. */
export class ExpiredListError extends StatusError {
  readonly continueToken: string | undefined

  constructor(message: string, continueToken: string | undefined) {
    super('Expired', message)
    this.name = 'ExpiredListError'
    this.continueToken = continueToken
  }
}

/** What a failed answer says, as a StatusError with its reason and code. */
export function failureFromAnswer(attempt: string, code: number, text: string): StatusError {
  const status = statusFromText(text)
  if (status === undefined)
    return new StatusError(reasonFromCode(code), `cannot ${attempt}: ${summary(code, text)}`, { code })
  return failureFromStatus(status, { attempt, code })
}

/** A Status document as an error, with what was attempted if the caller says so. */
export function failureFromStatus(
  status: StatusDocument,
  { attempt, code = 500 }: { readonly attempt?: string; readonly code?: number } = {},
): StatusError {
  const statusCode = status.code ?? code
  const said = status.message ?? summary(statusCode, '')
  const message = attempt === undefined ? said : `cannot ${attempt}: ${said}`
  const reason = isReason(status.reason) ? status.reason : reasonFromCode(statusCode)
  if (reason === 'Expired') return new ExpiredListError(message, status.metadata?.continue)
  return new StatusError(reason, message, {
    code: statusCode,
    ...(status.details === undefined ? {} : { details: status.details }),
  })
}

/** The parts of a Status that a client reads. */
export interface StatusDocument {
  readonly kind: 'Status'
  readonly message?: string
  readonly reason?: string
  readonly code?: number
  readonly details?: StatusDetails
  readonly metadata?: { readonly continue?: string }
}

/** Whether a failure has one of the reasons. */
export function failedWith(error: unknown, ...reasons: readonly Reason[]): error is StatusError {
  return error instanceof StatusError && reasons.includes(error.reason)
}

function statusFromText(text: string): StatusDocument | undefined {
  try {
    const document = JSON.parse(text) as Partial<StatusDocument> | null
    return document?.kind === 'Status' ? (document as StatusDocument) : undefined
  } catch {
    return undefined
  }
}

function isReason(reason: string | undefined): reason is Reason {
  return reason !== undefined && Object.hasOwn(reasonCodes, reason)
}

// What is between us and the server answers in its own words; the code is all that can be relied on.
function reasonFromCode(code: number): Reason {
  const known = Object.entries(reasonCodes).find(([reason, each]) => each === code && !ambiguous.has(reason))
  return (known?.[0] ?? 'Unknown') as Reason
}

const ambiguous: ReadonlySet<string> = new Set(['AlreadyExists', 'Gone', 'Unknown'])

function summary(code: number, text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line === '' ? `the server answered ${code}` : `the server answered ${code}: ${line.slice(0, 200)}`
}
