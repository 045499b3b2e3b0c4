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

test('the current context of the first file counts, and files it names are beside it', () => {
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

test('another context can be chosen', () => {
  expect(resolveAccess(kubeconfigFromTexts(files), { context: 'b' }, read)).toEqual({
    server: 'https://two',
    context: 'b',
    namespace: 'default',
    insecure: true,
    token: 'secret',
  })
})

test.each([
  ['a context that is not there', 'c', /has no context "c": it has/],
  [
    'a user who logs in with a program that is not there',
    'cloud',
    /logs in with no-such-program: it can't be run \(ENOENT\)\nbrew it/,
  ],
  ['a user of an auth-provider', 'older', /auth-provider/],
])('%s is refused in words', (_, context, message) => {
  const third = {
    path: '/x',
    text: 'contexts: [{name: cloud, context: {cluster: two, user: cloud}}, {name: older, context: {cluster: two, user: older}}]',
  }
  expect(() => resolveAccess(kubeconfigFromTexts([...files, third]), { context }, read)).toThrow(message)
})
