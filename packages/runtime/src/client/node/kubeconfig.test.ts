import { expect, test } from 'vitest'
import { kubeconfigFromTexts, resolveAccess } from './kubeconfig.ts'

const first = `
current-context: a
contexts:
- {name: a, context: {cluster: one, user: ann, namespace: team}}
clusters:
- {name: one, cluster: {server: "https://one:6443/", certificate-authority: ca.pem}}
users:
- {name: ann, user: {client-certificate-data: ${btoa('CERT')}, client-key-data: ${btoa('KEY')}}}
`
const second = `
current-context: b
contexts:
- {name: a, context: {cluster: two}}
- {name: b, context: {cluster: two, user: bob}}
clusters:
- {name: two, cluster: {server: https://two, insecure-skip-tls-verify: true}}
users:
- {name: bob, user: {token: secret}}
- {name: cloud, user: {exec: {command: no-such-program, installHint: brew it}}}
- {name: older, user: {auth-provider: {name: gcp}}}
`
const files = [
  { path: '/home/ann/.kube/config', text: first },
  { path: '/etc/other', text: second },
]
const read = (path: string) => `read ${path}`

test('uses the current context of the first file, and paths relative to it', () => {
  expect(resolveAccess(kubeconfigFromTexts(files), {}, read)).toEqual({
    server: 'https://one:6443',
    context: 'a',
    namespace: 'team',
    insecure: false,
    authority: 'read /home/ann/.kube/ca.pem',
    certificate: 'CERT',
    key: 'KEY',
  })
})

test('resolves another context', () => {
  expect(resolveAccess(kubeconfigFromTexts(files), { context: 'b' }, read)).toEqual({
    server: 'https://two',
    context: 'b',
    namespace: 'default',
    insecure: true,
    token: 'secret',
  })
})

test.each([
  ['a missing context', 'c', /has no context "c": it has/],
  ['a missing credential plugin', 'cloud', /with no-such-program: cannot run it \(ENOENT\)\nbrew it/],
  ['a user with an auth-provider', 'older', /auth-provider/],
])('rejects %s', (_, context, message) => {
  const third = {
    path: '/x',
    text: 'contexts: [{name: cloud, context: {cluster: two, user: cloud}}, {name: older, context: {cluster: two, user: older}}]',
  }
  expect(() => resolveAccess(kubeconfigFromTexts([...files, third]), { context }, read)).toThrow(message)
})
