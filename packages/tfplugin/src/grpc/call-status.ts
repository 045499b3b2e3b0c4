import { fieldValue, type HeaderField } from '@hykube/http2/hpack'
import { GrpcError, type StatusName, statusCodes, statusName } from './grpc-error.ts'

/** Reads the outcome from a response's trailers; undefined for OK. */
export function errorFromTrailers(fields: readonly HeaderField[]): GrpcError | undefined {
  const status = fieldValue(fields, 'grpc-status')
  if (status === '0') return undefined
  if (status === undefined) return errorFromHttp(fields) ?? new GrpcError('UNKNOWN', 'the call ended without a status')
  const message = percentDecoded(fieldValue(fields, 'grpc-message') ?? '')
  const name = /^\d{1,3}$/.test(status) ? statusName(Number(status)) : 'UNKNOWN'
  return new GrpcError(name, message === '' ? `the call failed with ${name}` : message)
}

/** Returns an error unless the headers are those of a gRPC response, such as when a web server answered. */
export function errorFromHttp(fields: readonly HeaderField[]): GrpcError | undefined {
  const status = fieldValue(fields, ':status')
  const type = fieldValue(fields, 'content-type')
  if (status === '200' && type?.startsWith('application/grpc') === true) return undefined
  const name = httpStatuses[status ?? ''] ?? 'UNKNOWN'
  return new GrpcError(name, `the server does not speak gRPC: HTTP status ${status ?? 'missing'}, ${type ?? 'no type'}`)
}

/** Builds the trailers for an outcome; undefined means OK. */
export function trailersFor(error: GrpcError | undefined): HeaderField[] {
  if (error === undefined) return [['grpc-status', '0']]
  return [
    ['grpc-status', String(statusCodes[error.status])],
    ['grpc-message', percentEncoded(error.message)],
  ]
}

/** Formats a duration for the grpc-timeout header, which allows at most eight digits. */
export function timeoutText(milliseconds: number): string {
  const whole = Math.max(1, Math.ceil(milliseconds))
  return whole < 1e8 ? `${whole}m` : `${Math.min(99_999_999, Math.ceil(whole / 1000))}S`
}

/** Parses a grpc-timeout header to milliseconds; undefined when it is missing or malformed. */
export function timeoutFromText(text: string | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(text ?? '')
  return match === null ? undefined : Number(match[1]) * timeoutUnits[match[2]!]!
}

const timeoutUnits: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }

// The mapping of HTTP status codes that the gRPC specification prescribes.
const httpStatuses: Readonly<Record<string, StatusName>> = {
  '400': 'INTERNAL',
  '401': 'UNAUTHENTICATED',
  '403': 'PERMISSION_DENIED',
  '404': 'UNIMPLEMENTED',
  '429': 'UNAVAILABLE',
  '502': 'UNAVAILABLE',
  '503': 'UNAVAILABLE',
  '504': 'UNAVAILABLE',
}

function percentEncoded(text: string): string {
  let encoded = ''
  // The cut keeps the trailers well below the peer's header limit.
  for (const byte of Buffer.from(text.slice(0, 8000))) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  const bytes = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
