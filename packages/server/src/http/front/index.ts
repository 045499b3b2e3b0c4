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
export { type Front, type FrontOptions, openFront, type ServerCertificate } from './secure-front.ts'
export { type TlsSettings, tlsSettings } from './tls-settings.ts'
