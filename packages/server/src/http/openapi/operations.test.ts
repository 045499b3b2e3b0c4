import { describe, expect, test } from 'vitest'
import { builtInResourceTypes } from '../../kinds/index.ts'
import { typeOperations } from './operations.ts'
import { builtIn, fooType } from './testing/foo-type.ts'

function idsOf(kind: string): Record<string, string[]> {
  return Object.fromEntries(
    [...typeOperations(builtIn(kind))].map(({ path, operations }) => [
      path,
      operations.map(({ details }) => details!.id),
    ]),
  )
}

describe('operations of a type', () => {
  test('of a namespaced kind with subresources', () => {
    expect(idsOf('Deployment')).toEqual({
      '/apis/apps/v1/namespaces/{namespace}/deployments': [
        'listAppsV1NamespacedDeployment',
        'createAppsV1NamespacedDeployment',
        'deleteAppsV1CollectionNamespacedDeployment',
      ],
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}': [
        'readAppsV1NamespacedDeployment',
        'replaceAppsV1NamespacedDeployment',
        'patchAppsV1NamespacedDeployment',
        'deleteAppsV1NamespacedDeployment',
      ],
      '/apis/apps/v1/deployments': ['listAppsV1DeploymentForAllNamespaces'],
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale': [
        'readAppsV1NamespacedDeploymentScale',
        'replaceAppsV1NamespacedDeploymentScale',
        'patchAppsV1NamespacedDeploymentScale',
      ],
      '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/status': [
        'readAppsV1NamespacedDeploymentStatus',
        'replaceAppsV1NamespacedDeploymentStatus',
        'patchAppsV1NamespacedDeploymentStatus',
      ],
    })
  })

  test('of a kind without a namespace, in a group with a long name', () => {
    const ids = idsOf('ClusterRole')
    expect(Object.keys(ids)).toEqual([
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}',
    ])
    expect(ids['/apis/rbac.authorization.k8s.io/v1/clusterroles']).toContain('createRbacAuthorizationV1ClusterRole')
  })

  test('of a kind that can only be created', () => {
    expect(idsOf('TokenReview')).toEqual({
      '/apis/authentication.k8s.io/v1/tokenreviews': ['createAuthenticationV1TokenReview'],
    })
  })

  test('have unique ids in the whole API', () => {
    const ids = builtInResourceTypes().flatMap((type) =>
      [...typeOperations(type)].flatMap(({ operations }) => operations.map(({ details }) => details!.id)),
    )
    expect(ids.length).toBeGreaterThan(400)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a subresource names its own kind', () => {
    const scale = [...typeOperations(builtIn('Deployment'))].find(({ path }) => path.endsWith('/scale'))!
    expect(scale.operations[0]).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      details: { answers: [[200, 'io.k8s.api.autoscaling.v1.Scale']] },
    })
  })

  test.each([
    ['offers strategic merge where the type has it', builtIn('Deployment'), true],
    ['offers none for other types', fooType(), false],
  ])('a patch %s', (_name, type, strategic) => {
    const patches = [...typeOperations(type)].flatMap(({ operations }) =>
      operations.filter(({ method }) => method === 'patch'),
    )
    for (const { body, parameters } of patches) {
      expect(body!.media.includes('application/strategic-merge-patch+json')).toBe(strategic)
      expect(body!.media).toEqual(
        expect.arrayContaining(['application/merge-patch+json', 'application/apply-patch+yaml']),
      )
      expect(parameters.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force'])
    }
    expect(patches.length).toBeGreaterThan(0)
  })

  test('in the brief form have only the facts that clients look up', () => {
    const found = [...typeOperations(fooType(), true)].flatMap(({ path, operations }) =>
      operations.map(({ method, kind, parameters, body }) => [
        method,
        path,
        kind.kind,
        parameters.map(({ name }) => name),
        body?.media,
      ]),
    )
    const foos = '/apis/stable.example.com/v1/namespaces/{namespace}/foos'
    expect(found).toEqual([['patch', `${foos}/{name}`, 'Foo', ['dryRun', 'fieldValidation'], undefined]])
  })
})
