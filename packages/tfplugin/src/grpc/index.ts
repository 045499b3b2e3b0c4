/** A gRPC client and server with the features that plugins need: no compression and no load balancing. */
export type { CallOptions } from './client-call.ts'
export { addressText, type ClientTls, type ConnectOptions, connectGrpc, type GrpcAddress } from './connect.ts'
export { type BidiCall, GrpcClient, type GrpcClientOptions } from './grpc-client.ts'
export { GrpcError, type GrpcErrorOptions, hasStatus, type StatusName, statusCodes, statusName } from './grpc-error.ts'
export { GrpcServer, type GrpcServerOptions } from './grpc-server.ts'
export type { GrpcHandler, ServerCallContext } from './server-call.ts'
