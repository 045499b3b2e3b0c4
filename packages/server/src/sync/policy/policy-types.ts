import type { Clock } from '@hykube/machinery/base'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { syncSpecSchema, syncStatusSchema } from '@hykube/machinery/sync-api'
import { customResourceTypes, type Definition } from '../../crd/index.ts'
import { policyProblems } from './settings.ts'

/** Where the policies of a namespace are stored. */
export const policyResource = { group: 'hykube.io', resource: 'syncpolicies' } as const

/** Where policies for all namespaces are stored. */
export const clusterPolicyResource = { group: 'hykube.io', resource: 'clustersyncpolicies' } as const

/** The kinds SyncPolicy and ClusterSyncPolicy. */
export function policyTypes(clock: Clock): ResourceType[] {
  return (['Namespaced', 'Cluster'] as const).map((scope) => {
    const [type] = customResourceTypes(definitionOf(scope))
    return {
      ...type!,
      validate: (object, old) => [...type!.validate(object, old), ...policyProblems(object, clock.now())],
    }
  })
}

function definitionOf(scope: 'Namespaced' | 'Cluster'): Definition {
  const kind = scope === 'Cluster' ? 'ClusterSyncPolicy' : 'SyncPolicy'
  const { group, resource: plural } = scope === 'Cluster' ? clusterPolicyResource : policyResource
  const name = `${plural}.${group}`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, uid: name, generation: 1 },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, categories: ['hykube'] },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'How far the server acts by itself on the objects that the policy covers.',
              required: ['spec'],
              properties: { spec: syncSpecSchema(scope), status: syncStatusSchema },
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
            { name: 'Resources', type: 'integer', jsonPath: '.status.resources' },
            { name: 'Drifted', type: 'integer', jsonPath: '.status.drifted' },
            { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
            { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
            { name: 'Last Check', type: 'date', jsonPath: '.status.lastCheck' },
            { name: 'Next Check', type: 'string', jsonPath: '.status.nextCheck', priority: 1 },
            { name: 'Plan', type: 'string', jsonPath: '.status.plan', priority: 1 },
            { name: 'Suspended', type: 'boolean', jsonPath: '.spec.suspend', priority: 1 },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  }
}
