export type {
  BodyMeter,
  BodyProducer,
  BodyWriter,
  Handler,
  Peer,
  Request,
  Response,
  ResponseHeaders,
} from './exchange.ts'
export { maximumBodyBytes } from './exchange.ts'
export { type Front, type FrontOptions, openFront } from './secure-front.ts'
