import type { JsonObject } from '@hykube/machinery/json'
import { inside, items } from '../draft.ts'
import { age, type Column, count, field, joined, text, valueAt } from './column.ts'

const created = field('Created At', 'metadata.creationTimestamp')
const role = text('Role', (binding) => {
  const reference = inside(binding, 'roleRef')
  return `${String(reference.kind ?? '')}/${String(reference.name ?? '')}`
})
const subjects = [
  text('Users', (binding) => named(binding, 'User'), true),
  text('Groups', (binding) => named(binding, 'Group'), true),
  text('ServiceAccounts', (binding) => named(binding, 'ServiceAccount'), true),
]
const webhooks: Column = { name: 'Webhooks', type: 'integer', cell: (object) => items(object, 'webhooks').length }

/** Columns of RBAC, admission, certificates, custom resource definitions, aggregation and flow control. */
export const accessColumns: Readonly<Record<string, readonly Column[]>> = {
  Role: [created],
  ClusterRole: [created],
  RoleBinding: [role, age, ...subjects],
  ClusterRoleBinding: [role, age, ...subjects],
  CustomResourceDefinition: [created],
  MutatingWebhookConfiguration: [webhooks, age],
  ValidatingWebhookConfiguration: [webhooks, age],
  ValidatingAdmissionPolicy: [
    { name: 'Validations', type: 'integer', cell: (object) => items(object, 'spec', 'validations').length },
    text('ParamKind', paramKind),
    age,
  ],
  MutatingAdmissionPolicy: [
    { name: 'Mutations', type: 'integer', cell: (object) => items(object, 'spec', 'mutations').length },
    text('ParamKind', paramKind),
    age,
  ],
  ValidatingAdmissionPolicyBinding: [field('PolicyName', 'spec.policyName'), text('ParamRef', paramRef), age],
  MutatingAdmissionPolicyBinding: [field('PolicyName', 'spec.policyName'), text('ParamRef', paramRef), age],
  CertificateSigningRequest: [
    age,
    field('SignerName', 'spec.signerName'),
    field('Requestor', 'spec.username'),
    text('RequestedDuration', (object) => {
      const seconds = valueAt(object, 'spec.expirationSeconds')
      return seconds === undefined ? '<none>' : `${String(seconds)}s`
    }),
    text('Condition', certificateCondition),
  ],
  APIService: [
    text('Service', (object) => {
      const service = inside(object, 'spec', 'service')
      return service.name === undefined ? 'Local' : `${String(service.namespace)}/${String(service.name)}`
    }),
    text('Available', (object) => {
      const condition = items(object, 'status', 'conditions').find((each) => each.type === 'Available')
      if (condition === undefined) return 'Unknown'
      return condition.status === 'True' ? 'True' : `${String(condition.status)} (${String(condition.reason ?? '')})`
    }),
    age,
  ],
  FlowSchema: [
    field('PriorityLevel', 'spec.priorityLevelConfiguration.name'),
    count('MatchingPrecedence', 'spec.matchingPrecedence'),
    field('DistinguisherMethod', 'spec.distinguisherMethod.type', '<none>'),
    age,
    text('MissingPL', (object) => {
      const dangling = items(object, 'status', 'conditions').find((each) => each.type === 'Dangling')
      return dangling === undefined ? '?' : (dangling.status ?? '?')
    }),
  ],
  PriorityLevelConfiguration: [
    field('Type', 'spec.type'),
    field('NominalConcurrencyShares', 'spec.limited.nominalConcurrencyShares', '<none>'),
    field('Queues', 'spec.limited.limitResponse.queuing.queues', '<none>'),
    field('HandSize', 'spec.limited.limitResponse.queuing.handSize', '<none>'),
    field('QueueLengthLimit', 'spec.limited.limitResponse.queuing.queueLengthLimit', '<none>'),
    age,
  ],
}

function named(binding: JsonObject, kind: string): string {
  return items(binding, 'subjects')
    .filter((subject) => subject.kind === kind)
    .map((subject) =>
      kind === 'ServiceAccount' ? `${String(subject.namespace)}/${String(subject.name)}` : String(subject.name),
    )
    .join(', ')
}

function paramKind(policy: JsonObject): string {
  const kind = inside(policy, 'spec', 'paramKind')
  return kind.kind === undefined ? '<unset>' : `${String(kind.apiVersion)}/${String(kind.kind)}`
}

function paramRef(binding: JsonObject): string {
  const reference = inside(binding, 'spec', 'paramRef')
  if (reference.name === undefined) return 'selector' in reference ? '*' : '<unset>'
  return reference.namespace ? `${String(reference.namespace)}/${String(reference.name)}` : String(reference.name)
}

function certificateCondition(request: JsonObject): string {
  const types = items(request, 'status', 'conditions').map((condition) => String(condition.type))
  const shown =
    types.length === 0 ? 'Pending' : joined(types.filter((type) => ['Approved', 'Denied', 'Failed'].includes(type)))
  return valueAt(request, 'status.certificate') === undefined ? shown : `${shown},Issued`
}
