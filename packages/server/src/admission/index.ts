/** Admission: plugins that change or reject a write between decoding and storing, in Kubernetes' order. */
export { certificateRequester } from './builtin/certificate-requester.ts'
export { limitRanger } from './builtin/limit-range/limit-ranger.ts'
export { namespaceLifecycle } from './builtin/namespace-lifecycle.ts'
export { resourceQuota } from './builtin/quota/quota-admission.ts'
export { openQuotas } from './builtin/quota/quotas.ts'
export { rbacEscalation } from './builtin/rbac-escalation.ts'
export { addressRange } from './builtin/service/address-range.ts'
export { serviceAddresses } from './builtin/service/service-addresses.ts'
export { serviceAllocations, serviceClaims } from './builtin/service/service-allocations.ts'
export {
  AdmissionChain,
  type AdmissionPlugin,
  type AdmissionRequest,
  type CommitAddition,
} from './chain.ts'
