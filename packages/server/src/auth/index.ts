/** Authentication, authorization and certificates. */
export {
  type AuthenticationRequest,
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  unauthorized,
} from './authn/authenticator.ts'
export type { BoundKind, BoundObject, BoundObjects } from './authn/bound-objects.ts'
export {
  type CertificateAuthenticator,
  type CertificateAuthenticatorOptions,
  certificatesIn,
  createCertificateAuthenticator,
} from './authn/client-certificate.ts'
export type { CredentialOutcome, Identity, TokenAuthenticator, TokenContext } from './authn/identity.ts'
export { impersonate, wantedUser } from './authn/impersonation.ts'
export { openidConfiguration, ServiceAccountKeys } from './authn/service-account-keys.ts'
export { createServiceAccountAuthenticator, type ServiceAccountTokenOptions } from './authn/service-account-tokens.ts'
export { createStaticTokenAuthenticator, type StaticToken, tokensFromCsv } from './authn/static-tokens.ts'
export { reviewSelfSubject, reviewToken, type TokenReviewContext } from './authn/subject-review.ts'
export { createTokenIssuer, type IssuedToken, type TokenIssuer, type TokenIssuerOptions } from './authn/token-issuer.ts'
export { answerTokenRequest, type TokenAnswer, type TokenRequestContext } from './authn/token-request.ts'
export {
  type AccessReviewContext,
  reviewLocalSubjectAccess,
  reviewSelfSubjectAccess,
  reviewSubjectAccess,
} from './authz/access-review.ts'
export { aggregatedRules } from './authz/aggregation.ts'
export { type Attributes, pathAttributes, resourceAttributes } from './authz/attributes.ts'
export { type Authorizer, alwaysAllow, type Decision, type EffectiveRules } from './authz/authorizer.ts'
export { checkRbacWrite, type RbacWrite, type RoleReader } from './authz/escalation.ts'
export { forbiddenError, forbiddenMessage } from './authz/forbidden.ts'
export type { PolicyRule, RbacKind, RoleRef, Subject } from './authz/policy-rule.ts'
export { createRbacAuthorizer } from './authz/rbac-authorizer.ts'
export { RbacIndex } from './authz/rbac-index.ts'
export { reviewSelfSubjectRules } from './authz/rules-review.ts'
export { bootstrapPolicy } from './bootstrap/bootstrap-policy.ts'
export type { PolicyObject } from './bootstrap/policy-rows.ts'
export { type Reconciliation, reconcilePolicy } from './bootstrap/reconcile.ts'
export { type AdminKubeconfigOptions, adminKubeconfig, writeAdminKubeconfig } from './pki/admin-kubeconfig.ts'
export type { Authority, IssueOptions, KeyedCertificate } from './pki/authority.ts'
export { adminUser, ensurePki, internalHosts, type Pki, type PkiOptions, standardHosts } from './pki/ensure-pki.ts'
export { serviceAccountFrom, serviceAccountGroups, serviceAccountUserName } from './service-account-name.ts'
export { anonymousUser, type UserInfo, wellKnown } from './user-info.ts'
