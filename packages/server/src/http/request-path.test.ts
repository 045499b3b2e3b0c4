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
  ['keeps an encoded slash in its segment', '/api/v1/namespaces/a%2Fpods/pods', 'a/pods'],
  ['treats dot segments as names', '/api/v1/namespaces/../pods', '..'],
  ['turns a doubled slash into an empty segment', '/api/v1/namespaces//pods', ''],
])('%s', (_, path, namespace) => {
  expect(parseRequestPath(path)).toMatchObject({ kind: 'resource', namespace })
})

test('decodes a percent sign once', () => {
  expect(parseRequestPath('/api/v1/namespaces/a/pods/%2561')).toMatchObject({ name: '%61' })
})

test('rejects an invalid escape', () => {
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
])('takes the cluster in %s from the decoded path', (path, cluster) => {
  expect(clusterInPath(path)).toBe(cluster)
  expect(parseRequestPath(path, 'default').cluster).toBe(cluster ?? 'default')
})
