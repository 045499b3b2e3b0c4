import { type MessageTable, messageCodec } from '@hykube/machinery/protobuf'

/** Services that every plugin has beside its own. */
export const pluginMethods = {
  healthCheck: '/grpc.health.v1.Health/Check',
  shutdown: '/plugin.GRPCController/Shutdown',
  streamStdio: '/plugin.GRPCStdio/StreamStdio',
  brokerStream: '/plugin.GRPCBroker/StartStream',
} as const

const stdioTable: MessageTable = {
  name: 'StdioData',
  fields: [
    { number: 1, name: 'channel', type: 'enum', presence: 'implicit' },
    { number: 2, name: 'data', type: 'bytes', presence: 'implicit' },
  ],
}

const healthTable: MessageTable = {
  name: 'HealthCheckResponse',
  fields: [{ number: 1, name: 'status', type: 'enum', presence: 'implicit' }],
}

const serviceTable: MessageTable = {
  name: 'HealthCheckRequest',
  fields: [{ number: 1, name: 'service', type: 'string', presence: 'implicit' }],
}

/** Output of a plugin after the handshake, with its channel. */
export interface StdioData {
  readonly channel: 'stdout' | 'stderr'
  readonly data: Uint8Array
}

export function stdioFromBytes(bytes: Uint8Array): StdioData {
  const { channel, data } = messageCodec(stdioTable).decode(bytes)
  return { channel: channel === 2 ? 'stderr' : 'stdout', data: data as Uint8Array }
}

/** The SERVING status of gRPC health checks. */
export const servingAnswer: Uint8Array = messageCodec(healthTable).encode({ status: 1 })
export const healthRequest: Uint8Array = messageCodec(serviceTable).encode({ service: 'plugin' })

/** True when a health check reports SERVING. */
export function isServing(answer: Uint8Array): boolean {
  return messageCodec(healthTable).decode(answer).status === 1
}
