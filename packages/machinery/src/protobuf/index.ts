/** A protobuf codec driven by field tables, for Kubernetes kinds and the Terraform provider protocol. */
export { type DecodeOptions, type Message, type MessageCodec, messageCodec } from './codec.ts'
export {
  closeKubernetesEnvelope,
  decodeKubernetesEnvelope,
  encodeKubernetesEnvelope,
  openKubernetesEnvelope,
} from './kubernetes-envelope.ts'
export { jsonSchemaLeaves, kubernetesLeaves, listLeaf } from './kubernetes-leaves.ts'
export type { FieldTable, FieldType, LeafCodec, MessageTable, Presence, ScalarType } from './message-table.ts'
export { WireWriter } from './wire-writer.ts'
