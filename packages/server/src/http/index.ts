/** The HTTP API: listener, flow control, discovery, OpenAPI and the verbs. */
export type { Api } from './api.ts'
export { readDocument, readObject } from './body/read-object.ts'
export type { RequestContext } from './context.ts'
export { Discovery } from './discovery/discovery.ts'
export { BodyBudget } from './flow-control/body-budget.ts'
export { FairSeats } from './flow-control/fair-seats.ts'
export {
  type Front,
  openFront,
  type Peer,
  type Request,
  type Response,
  type ServerCertificate,
  type TlsSettings,
  tlsSettings,
} from './front/index.ts'
export { type HealthCheck, healthAnswer } from './health/health.ts'
export { NamespaceGuard } from './namespace-guard.ts'
export { OpenApiDocuments } from './openapi/open-api-documents.ts'
export { presentAnswer } from './presentation/form.ts'
export { type ResourcePath, rootCluster } from './request-path.ts'
export { type EndpointHandler, type EndpointHandlers, ResourceHandler } from './resource-handler.ts'
export { json, text } from './respond.ts'
export { type AnswerFacts, createService, type PathHandler } from './service.ts'
export { subresourceEndpoints } from './subresources/index.ts'
export type { Target } from './target.ts'
export { createObject, type Written } from './verbs/create-object.ts'
export { managedByUpdate } from './verbs/manage-fields.ts'
export { updateObject } from './verbs/update-object.ts'
export { writtenResponse } from './verbs/written-response.ts'
export { versionInfo } from './version.ts'
export { writeOptionsFrom } from './write-options.ts'
