/** What may change or refuse a write between decoding and storing, in Kubernetes' order. */
export { certificateRequester } from './builtin/certificate-requester.ts'
export { namespaceLifecycle } from './builtin/namespace-lifecycle.ts'
export { rbacEscalation } from './builtin/rbac-escalation.ts'
export { AdmissionChain, type AdmissionPlugin, type AdmissionRequest, type AdmissionUser } from './chain.ts'
