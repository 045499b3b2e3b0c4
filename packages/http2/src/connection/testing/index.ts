/** Parts for tests of HTTP/2: a client that sends arbitrary bytes. */
export { type RawFrame, RawHttp2Client, requestFrame } from './raw-http2-client.ts'
