/** Admission: plugins that change or reject a write between decoding and storing, in Kubernetes' order. */
export { certificateRequester } from './builtin/certificate-requester.ts'
export { type LimitRangeReader, limitRanger } from './builtin/limit-range/limit-ranger.ts'
export { namespaceLifecycle } from './builtin/namespace-lifecycle.ts'
export { calculateQuota, type QuotaContent } from './builtin/quota/calculate.ts'
export { type QuotaReader, resourceQuota } from './builtin/quota/quota-admission.ts'
export { rbacEscalation } from './builtin/rbac-escalation.ts'
export { addressRange } from './builtin/service/address-range.ts'
export { claimsOf } from './builtin/service/claims.ts'
export { type AllocationReader, serviceAddresses } from './builtin/service/service-addresses.ts'
export {
  AdmissionChain,
  type AdmissionPlugin,
  type AdmissionRequest,
  type AdmissionUser,
  type CommitAddition,
} from './chain.ts'
