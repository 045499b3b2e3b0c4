import { systemClock } from '@hykube/machinery/base'
import {
  AdmissionChain,
  certificateRequester,
  limitRanger,
  namespaceLifecycle,
  rbacEscalation,
  resourceQuota,
  serviceAddresses,
  serviceAllocations,
} from '../../admission/index.ts'
import { DefinedTypes, withDefinitionBehaviour } from '../../crd/index.ts'
import { templateSyntax } from '../../expression/index.ts'
import { type Api, NamespaceGuard } from '../../http/index.ts'
import { builtInResourceTypes } from '../../kinds/index.ts'
import { planRules, planType } from '../../plans/index.ts'
import { isKindStub, providerConfigType, providerType } from '../../provider/index.ts'
import {
  configurationRules,
  deletedProviderRules,
  importRules,
  managedContentRules,
  movingRules,
  providerResolution,
  repetitionRules,
  resourceRules,
  resourceType,
  stubGuard,
  useRules,
} from '../../provider-kinds/index.ts'
import { policyTypes, syncRules } from '../../sync/index.ts'
import type { WithEngineParts } from './with-engine-parts.ts'

export type WithTypes = Awaited<ReturnType<typeof withTypes>>

/** Registers the kinds and their admission: afterwards every kind, built in or defined, can be read and written. */
export async function withTypes(before: WithEngineParts) {
  const { objects, hub, types, kinds, access, report, stopping } = before
  const api: Api = {
    objects,
    hub,
    types,
    namespaces: new NamespaceGuard(objects, hub),
    admission: admissionOf(before),
    authorizer: access.authorizer,
    clock: systemClock,
  }
  types.serveEverywhere(withDefinitionBehaviour(builtInResourceTypes(), api.clock))
  types.serveEverywhere([
    providerType(templateSyntax),
    providerConfigType(templateSyntax),
    planType(),
    ...policyTypes(api.clock),
    resourceType(kinds),
  ])
  const { clock } = api
  const defined = await DefinedTypes.open({ objects, hub, types, clock, report, isServedElsewhere: isKindStub })
  stopping.add(() => defined.close())
  return { ...before, api }
}

function admissionOf({ options, objects, estate, kinds, access, use, parts, quotas }: WithEngineParts): AdmissionChain {
  return new AdmissionChain([
    namespaceLifecycle,
    limitRanger(quotas.limitRangeReader),
    serviceAddresses(serviceAllocations(objects), options.serviceAddressRange),
    certificateRequester,
    rbacEscalation(access.authorizer, access.rbac),
    stubGuard,
    useRules(use, kinds),
    planRules(access.authorizer, kinds, options.requireSecondApprover),
    syncRules(access.authorizer, kinds),
    providerResolution(parts.kinds),
    configurationRules(parts.reader, estate, access.authorizer),
    resourceRules(parts.reader, estate, access.authorizer),
    managedContentRules(estate),
    deletedProviderRules(kinds),
    repetitionRules(parts.reader, estate),
    importRules(parts.reader, estate, access.authorizer),
    movingRules(parts.reader, estate, objects, access.authorizer, systemClock),
    resourceQuota(quotas.quotaReader),
  ])
}
