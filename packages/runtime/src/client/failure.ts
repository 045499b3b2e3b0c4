import { type Reason, reasonCodes, type StatusDetails, StatusError } from '@hykube/machinery/status'

/** The revision of a list or watch was compacted. `continueToken`, if set, continues the list at the current revision. */
export class ExpiredListError extends StatusError {
  readonly continueToken: string | undefined

  constructor(message: string, continueToken: string | undefined) {
    super('Expired', message)
    this.name = 'ExpiredListError'
    this.continueToken = continueToken
  }
}

/** Converts a failed response to a StatusError. `attempt` is the action in the message, such as `get pods a/b`. */
export function failureFromAnswer(attempt: string, code: number, text: string): StatusError {
  const status = statusFromText(text)
  if (status === undefined)
    return new StatusError(reasonFromCode(code), `cannot ${attempt}: ${summary(code, text)}`, { code })
  return failureFromStatus(status, { attempt, code })
}

/** Converts a Status document to an error; the message starts with `cannot ATTEMPT` when an attempt is given. */
export function failureFromStatus(
  status: StatusDocument,
  { attempt, code = 500 }: { readonly attempt?: string; readonly code?: number } = {},
): StatusError {
  const statusCode = status.code ?? code
  const statusMessage = status.message ?? summary(statusCode, '')
  const message = attempt === undefined ? statusMessage : `cannot ${attempt}: ${statusMessage}`
  const reason = isReason(status.reason) ? status.reason : reasonFromCode(statusCode)
  if (reason === 'Expired') return new ExpiredListError(message, status.metadata?.continue)
  return new StatusError(reason, message, {
    code: statusCode,
    ...(status.details === undefined ? {} : { details: status.details }),
  })
}

/** The fields of a Status that the client uses. */
export interface StatusDocument {
  readonly kind: 'Status'
  readonly message?: string
  readonly reason?: string
  readonly code?: number
  readonly details?: StatusDetails
  readonly metadata?: { readonly continue?: string }
}

/** Returns true when the error is a StatusError with one of the reasons. */
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

// Proxies between client and server send no Status, so only the HTTP status code is reliable.
function reasonFromCode(code: number): Reason {
  const known = Object.entries(reasonCodes).find(([reason, each]) => each === code && !ambiguous.has(reason))
  return (known?.[0] ?? 'Unknown') as Reason
}

// Reasons that share their code with a more likely one.
const ambiguous: ReadonlySet<string> = new Set(['AlreadyExists', 'Gone', 'Unknown'])

function summary(code: number, text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line === '' ? `the server answered ${code}` : `the server answered ${code}: ${line.slice(0, 200)}`
}
