/** Who asks and whether they may: certificates, authentication, authorisation. */
export { type AdminKubeconfigOptions, adminKubeconfig, writeAdminKubeconfig } from './pki/admin-kubeconfig.ts'
export type { Authority, IssueOptions, KeyedCertificate } from './pki/authority.ts'
export { adminUser, ensurePki, type Pki, type PkiOptions, standardHosts } from './pki/ensure-pki.ts'
