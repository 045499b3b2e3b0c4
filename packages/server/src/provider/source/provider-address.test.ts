import { describe, expect, test } from 'vitest'
import { addressToText, parseProviderAddress } from './provider-address.ts'
import { parseProviderSource } from './provider-source.ts'

const options = { defaultHost: 'registry.example.com' }

describe('an address', () => {
  test.each([
    ['hashicorp/aws', 'registry.example.com/hashicorp/aws', 'the default host is filled in'],
    ['HashiCorp/AWS', 'registry.example.com/hashicorp/aws', 'case does not count'],
    ['tf.example.org/acme/my-cloud', 'tf.example.org/acme/my-cloud', 'a host of its own'],
    ['TF.Example.ORG:443/acme/cloud', 'tf.example.org/acme/cloud', 'the port of HTTPS is left out'],
    ['localhost:8080/acme/cloud', 'localhost:8080/acme/cloud', 'another port stays'],
    ['127.0.0.1:8080/acme/cloud', '127.0.0.1:8080/acme/cloud', 'a number may be a host'],
    ['bücher.example/acme/cloud', 'xn--bcher-kva.example/acme/cloud', 'hosts are as DNS has them'],
    ['acme/big_cloud', 'registry.example.com/acme/big_cloud', 'underscores may stand between'],
  ])('%s is %s: %s', (text, full) => {
    const address = parseProviderAddress(text, options)
    expect(addressToText(address)).toBe(full)
    expect(parseProviderAddress(full, options)).toEqual(address)
  })

  test.each([
    ['aws', 'hashicorp/aws'],
    ['', '[host/]namespace/type'],
    ['a/b/c/d', '[host/]namespace/type'],
    ['h//aws', 'namespace is empty'],
    ['acme/', 'type is empty'],
    ['acme/terraform-provider-aws', 'aws'],
    ['acme/-aws', 'single dashes'],
    ['acme/a--b', 'single dashes'],
    ['ac me/aws', 'dots or spaces'],
    ['ac.me/aws', 'dots or spaces'],
    ['../etc/passwd', 'a path must begin with /'],
    ['bad_host/acme/aws', 'is not a host name'],
    ['h:0/acme/aws', 'is not a host name'],
    ['h:99999/acme/aws', 'is not a host name'],
    ['a/%2f/x', 'letters, digits'],
  ])('%j is refused: %s', (text, words) => {
    expect(() => parseProviderSource(text, options)).toThrow(words)
  })
})

test.each([
  ['/opt/provider', '/opt/provider'],
  ['file:///opt/my%20provider', '/opt/my provider'],
])('%s is a path', (text, path) => {
  expect(parseProviderSource(text, options)).toEqual({ kind: 'path', path })
})

test('refuses a file URL with a host', () => {
  expect(() => parseProviderSource('file://elsewhere/x', options)).toThrow('write file:///DIR')
})
