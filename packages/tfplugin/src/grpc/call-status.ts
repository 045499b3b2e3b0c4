import { fieldValue, type HeaderField } from '../http2/index.ts'
import { GrpcError, type StatusName, statusCodes, statusName } from './grpc-error.ts'

/** The outcome that trailers tell; undefined for OK. */
export function errorFromTrailers(fields: readonly HeaderField[]): GrpcError | undefined {
  const status = fieldValue(fields, 'grpc-status')
  if (status === '0') return undefined
  if (status === undefined) return errorFromHttp(fields) ?? new GrpcError('UNKNOWN', 'the call ended without a status')
  const message = percentDecoded(fieldValue(fields, 'grpc-message') ?? '')
  const name = /^\d{1,3}$/.test(status) ? statusName(Number(status)) : 'UNKNOWN'
  return new GrpcError(name, message === '' ? `the call failed with ${name}` : message)
}

/** What headers tell when they are not those of a gRPC answer; undefined when they are. */
export function errorFromHttp(fields: readonly HeaderField[]): GrpcError | undefined {
  const status = fieldValue(fields, ':status')
  const type = fieldValue(fields, 'content-type')
  if (status === '200' && type?.startsWith('application/grpc') === true) return undefined
  const name = httpStatuses[status ?? ''] ?? 'UNKNOWN'
  return new GrpcError(
    name,
    `the other side does not speak gRPC: HTTP status ${status ?? 'missing'}, ${type ?? 'no type'}`,
  )
}

/** The fields that tell an outcome. */
export function trailersFor(error: GrpcError | undefined): HeaderField[] {
  if (error === undefined) return [['grpc-status', '0']]
  return [
    ['grpc-status', String(statusCodes[error.status])],
    ['grpc-message', percentEncoded(error.message)],
  ]
}

/** A duration as gRPC's header carries it. */
export function timeoutText(milliseconds: number): string {
  const whole = Math.max(1, Math.ceil(milliseconds))
  return whole < 1e8 ? `${whole}m` : `${Math.min(99_999_999, Math.ceil(whole / 1000))}S`
}

/** Milliseconds of such a header; undefined when it is none. */
export function timeoutFromText(text: string | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(text ?? '')
  return match === null ? undefined : Number(match[1]) * timeoutUnits[match[2]!]!
}

const timeoutUnits: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }

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
