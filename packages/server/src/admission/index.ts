/** What may change or refuse a write between decoding and storing, in Kubernetes' order. */
export { AdmissionChain, type AdmissionPlugin, type AdmissionRequest, type AdmissionUser } from './chain.ts'
