import { describe, expect, test } from 'vitest'
import { completeSettings } from './installer-settings.ts'
import { parseRequest } from './parsed-request.ts'
import { sourcePolicy, sourceRuleFromText } from './source-policy.ts'

const settings = completeSettings({
  cacheDirectory: '/notFound',
  builtIns: new Map([['hykube/sim', { executable: '/sim', version: '1.0.0' }]]),
})

function grant(rules: readonly string[], cluster: string, source: string): string {
  const policy = sourcePolicy(rules.map(sourceRuleFromText), settings.defaultHost)
  const field = source.startsWith('http') ? 'downloadUrl' : 'source'
  return policy(parseRequest({ cluster, [field]: source }, settings))
}

describe('sources of root', () => {
  test.each<[readonly string[], string, string]>([
    [[], 'hykube/sim', 'any'],
    [[], 'hashicorp/aws', 'verified'],
    [[], 'example.com/acme/cloud', 'verified'],
    [[], 'https://example.com/terraform-provider-x.zip', 'verified'],
    [[], '/bin/ls', 'none'],
    [[], 'file:///bin/ls', 'none'],
    [['hashicorp/*'], 'hashicorp/aws', 'any'],
    [['hashicorp/*'], 'example.com/hashicorp/aws', 'provider-directory'],
    [['hashicorp/*'], 'hykube/sim', 'any'],
    [['hashicorp/*'], 'https://example.com/terraform-provider-x.zip', 'none'],
    [['*'], 'acme/cloud', 'any'],
    [['*'], '/bin/ls', 'none'],
    [['https://example.com/*'], 'https://example.com/terraform-provider-x.zip', 'any'],
    [['https://example.com/*'], 'https://example.com.evil.org/terraform-provider-x.zip', 'none'],
    [['file:///srv/*'], '/srv/terraform-provider-x', 'any'],
    [['file:///srv/*'], 'file:///srv/terraform-provider-x', 'any'],
    [['file:///srv/*'], '/srv/../bin/ls', 'none'],
    [['file:///srv/*'], '/srvx/terraform-provider-x', 'none'],
    [['team-a=hashicorp/aws'], 'hashicorp/aws', 'verified'],
  ])('with %j, %s is %s', (rules, source, expected) => expect(grant(rules, 'root', source)).toBe(expected))
})

describe('sources of another logical cluster', () => {
  test.each<[readonly string[], string, string]>([
    [[], 'hykube/sim', 'none'],
    [[], 'hashicorp/aws', 'none'],
    [['hashicorp/aws'], 'hashicorp/aws', 'none'],
    [['team-b=hashicorp/aws'], 'hashicorp/aws', 'none'],
    [['team-a=hashicorp/aws'], 'hashicorp/aws', 'any'],
    [['team-a=hashicorp/aws'], 'hashicorp/time', 'none'],
    [['*=hykube/sim'], 'hykube/sim', 'any'],
    [['*=hykube/sim'], 'hykube/script', 'none'],
  ])('with %j, %s is %s', (rules, source, expected) => expect(grant(rules, 'team-a', source)).toBe(expected))
})

test.each(['', 'team-a=', 'a b'])('--provider-sources %j is refused', (text) =>
  expect(() => sourceRuleFromText(text)).toThrow('--provider-sources'),
)
