import { http2CodeName, http2Codes } from '../http2/index.ts'
import { GrpcError, type StatusName } from './grpc-error.ts'

/** What a reset stream means for its call. */
export function grpcErrorFromReset(code: number): GrpcError {
  const refused = code === http2Codes.REFUSED_STREAM
  const message = `the other side reset the call (${http2CodeName(code)})`
  return new GrpcError(resetStatuses.get(code) ?? 'INTERNAL', message, { neverProcessed: refused })
}

const resetStatuses: ReadonlyMap<number, StatusName> = new Map<number, StatusName>([
  [http2Codes.REFUSED_STREAM, 'UNAVAILABLE'],
  [http2Codes.CANCEL, 'CANCELLED'],
  [http2Codes.ENHANCE_YOUR_CALM, 'RESOURCE_EXHAUSTED'],
  [http2Codes.INADEQUATE_SECURITY, 'PERMISSION_DENIED'],
])
