import { expect, test } from 'vitest'
import { credentialsFromEnvironment } from './credentials.ts'

test.each([
  ['TF_TOKEN_registry_example_com', 'registry.example.com'],
  ['TF_TOKEN_my__registry_example_com', 'my-registry.example.com'],
  ['TF_TOKEN_xn____bcher__kva_example', 'xn--bcher-kva.example'],
])('%s is for %s', (name, host) => {
  const credentials = credentialsFromEnvironment({ [name]: 'token', TF_TOKEN_: 'x', 'TF_TOKEN_-': 'y', OTHER: 'z' })
  expect(credentials(host)).toBe('token')
  expect(credentials('other.example.com')).toBeUndefined()
})
