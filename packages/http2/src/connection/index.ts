/** HTTP/2 connections over sockets, both sides: streams, flow control and the limits that protect against abusive peers. */
export { ConnectionScheduler } from './connection-scheduler.ts'
export { Http2Connection } from './http2-connection.ts'
export type { Http2Stream, StreamEvents } from './http2-stream.ts'
export { areTrailers, type RequestHead, requestHead } from './request-head.ts'
