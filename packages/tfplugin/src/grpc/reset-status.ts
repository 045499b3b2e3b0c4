import { http2CodeName, http2Codes } from '@hykube/http2/frames'
import { GrpcError, type StatusName } from './grpc-error.ts'

/**
 * Maps the error code of a RST_STREAM to a gRPC error, as the specification prescribes. REFUSED_STREAM guarantees that
 * the call was not processed.
 */
export function grpcErrorFromReset(code: number): GrpcError {
  const refused = code === http2Codes.REFUSED_STREAM
  const message = `the server reset the call (${http2CodeName(code)})`
  return new GrpcError(resetStatuses.get(code) ?? 'INTERNAL', message, { neverProcessed: refused })
}

const resetStatuses: ReadonlyMap<number, StatusName> = new Map<number, StatusName>([
  [http2Codes.REFUSED_STREAM, 'UNAVAILABLE'],
  [http2Codes.CANCEL, 'CANCELLED'],
  [http2Codes.ENHANCE_YOUR_CALM, 'RESOURCE_EXHAUSTED'],
  [http2Codes.INADEQUATE_SECURITY, 'PERMISSION_DENIED'],
])
