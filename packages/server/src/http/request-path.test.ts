import { expect, test } from 'vitest'
import { clusterInPath, parseRequestPath } from './request-path.ts'

const resource = {
  kind: 'resource',
  cluster: 'root',
  group: '',
  version: 'v1',
  namespace: '',
  isInNamespace: false,
  name: '',
  subresource: '',
  rest: '',
}

test.each([
  ['/api/v1/pods', { ...resource, resource: 'pods' }],
  ['/api/v1/pods/', { ...resource, resource: 'pods' }],
  ['/api/v1/namespaces', { ...resource, resource: 'namespaces' }],
  ['/api/v1/namespaces/a', { ...resource, resource: 'namespaces', namespace: 'a', name: 'a' }],
  [
    '/api/v1/namespaces/a/status',
    { ...resource, resource: 'namespaces', namespace: 'a', name: 'a', subresource: 'status' },
  ],
  [
    '/api/v1/namespaces/a/finalize',
    { ...resource, resource: 'namespaces', namespace: 'a', name: 'a', subresource: 'finalize' },
  ],
  ['/api/v1/namespaces/a/pods', { ...resource, isInNamespace: true, resource: 'pods', namespace: 'a' }],
  [
    '/api/v1/namespaces/a/pods/b/log',
    { ...resource, isInNamespace: true, resource: 'pods', namespace: 'a', name: 'b', subresource: 'log' },
  ],
  [
    '/api/v1/namespaces/a/pods/b/proxy/x/y',
    {
      ...resource,
      isInNamespace: true,
      resource: 'pods',
      namespace: 'a',
      name: 'b',
      subresource: 'proxy',
      rest: 'x/y',
    },
  ],
  [
    '/apis/example.com/v1/namespaces/a',
    { ...resource, group: 'example.com', resource: 'namespaces', namespace: '', name: 'a' },
  ],
  [
    '/apis/example.com/v1/namespaces/a/status',
    { ...resource, group: 'example.com', resource: 'namespaces', namespace: '', name: 'a', subresource: 'status' },
  ],
  ['/apis/apps/v1/deployments', { ...resource, group: 'apps', resource: 'deployments' }],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa',
    { ...resource, group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'system:a' },
  ],
  ['/clusters/team/api/v1/pods', { ...resource, cluster: 'team', resource: 'pods' }],
  ['/clusters/*/apis/apps/v1/deployments', { ...resource, cluster: '*', group: 'apps', resource: 'deployments' }],
  ['/clusters/team/version', { kind: 'other', cluster: 'team', path: '/version', segments: ['version'] }],
  ['/apis/apps/v1', { kind: 'other', cluster: 'root', path: '/apis/apps/v1', segments: ['apis', 'apps', 'v1'] }],
  ['/', { kind: 'other', cluster: 'root', path: '/', segments: [] }],
])('%s', (path, expected) => {
  expect(parseRequestPath(path)).toEqual(expected)
})

test.each([
  ['an encoded slash stays inside of its segment', '/api/v1/namespaces/a%2Fpods/pods', 'a/pods'],
  ['dot segments are names, not directions', '/api/v1/namespaces/../pods', '..'],
  ['a doubled slash makes an empty segment', '/api/v1/namespaces//pods', ''],
])('%s', (_, path, namespace) => {
  expect(parseRequestPath(path)).toMatchObject({ kind: 'resource', namespace })
})

test('a percent sign is decoded once', () => {
  expect(parseRequestPath('/api/v1/namespaces/a/pods/%2561')).toMatchObject({ name: '%61' })
})

test('an escape that is none is refused', () => {
  expect(() => parseRequestPath('/api/v1/pods/%zz')).toThrow('invalid URL escape')
})

test.each([
  ['/clusters/team/api', 'team'],
  ['/%63lusters/te%61m/api', 'team'],
  ['/clusters/*/api', '*'],
  ['/clusters/team', 'team'],
  ['/clusters', undefined],
  ['/clusters/', undefined],
  ['/api/clusters/team', undefined],
  ['//clusters/team/api', undefined],
])('the cluster in %s is the one that the path is read for', (path, cluster) => {
  expect(clusterInPath(path)).toBe(cluster)
  expect(parseRequestPath(path, 'default').cluster).toBe(cluster ?? 'default')
})
