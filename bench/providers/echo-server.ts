import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { GrpcServer } from '@hykube/tfplugin/grpc'

/** Server process of the benchmark: returns each request as the response. */

/** Certificates and key in PEM. */
export interface ServerCertificates {
  readonly certificate: string
  readonly key: string
  readonly client: string
}

process.once('message', ({ path, certificates }: { path: string; certificates?: ServerCertificates }) => {
  const server = new GrpcServer(new Map([['/bench.Echo/Say', { kind: 'unary', handle: (request) => request }]]))
  const listener =
    certificates === undefined
      ? createServer((socket) => server.accept(socket))
      : createTlsServer(
          {
            cert: certificates.certificate,
            key: certificates.key,
            ca: certificates.client,
            requestCert: true,
            ALPNProtocols: ['h2'],
          },
          (socket) => server.accept(socket),
        )
  listener.listen(path, () => process.send!('ready'))
})
