/** A gRPC client and server with the features that plugins need: no compression and no load balancing. */
export type { CallOptions } from './client-call.ts'
export { addressText, type ClientTls, connectGrpc, type GrpcAddress } from './connect.ts'
export { GrpcClient } from './grpc-client.ts'
export { GrpcError, hasStatus, type StatusName } from './grpc-error.ts'
export { GrpcServer } from './grpc-server.ts'
export type { GrpcHandler, ServerCallContext } from './server-call.ts'
