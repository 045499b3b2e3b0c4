import { dns1035LabelProblems } from '@hykube/machinery/object'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindGroup, kindNames, nameKinds, pluralOf } from './kind-names.ts'

it('a provider has a group for resources and one for data sources', () => {
  expect(kindGroup('aws', 'managed')).toBe('aws.hykube.io')
  expect(kindGroup('aws', 'data')).toBe('data.aws.hykube.io')
})

describe('a plural', () => {
  it.each([
    ['aws-s3-bucket', 'aws-s3-buckets'],
    ['aws-ec2-transit-gateway', 'aws-ec2-transit-gateways'],
    ['aws-iam-policy', 'aws-iam-policies'],
    ['aws-vpc-dhcp-options', 'aws-vpc-dhcp-optionses'],
    ['aws-ipv6-prefix', 'aws-ipv6-prefixes'],
    ['aws-batch', 'aws-batches'],
    ['aws-kinesis-firehose', 'aws-kinesis-firehoses'],
    ['aws-service-mesh', 'aws-service-meshes'],
    ['aws-msk-hash', 'aws-msk-hashes'],
    ['aws-cognito-path', 'aws-cognito-paths'],
    ['aws-waf', 'aws-wafs'],
  ])("of %s is what Kubernetes' generators would say: %s", (singular, plural) => {
    expect(pluralOf(singular)).toBe(plural)
  })
})

describe('a managed type', () => {
  it.each([
    ['aws_s3_bucket', 'aws-s3-buckets', 'aws-s3-bucket', 'AwsS3Bucket'],
    ['time_static', 'time-statics', 'time-static', 'TimeStatic'],
    ['aws_eks_access_entry', 'aws-eks-access-entries', 'aws-eks-access-entry', 'AwsEksAccessEntry'],
    [
      'aws_workspacesweb_user_access_logging_settings_association',
      'aws-workspacesweb-user-access-logging-settings-associations',
      'aws-workspacesweb-user-access-logging-settings-association',
      'AwsWorkspaceswebUserAccessLoggingSettingsAssociation',
    ],
    [
      'azurerm_spring_cloud_dynatrace_application_performance_monitoring',
      'azurerm-spring-cloud-dynatrace-application-performance-3ef9febf',
      'azurerm-spring-cloud-dynatrace-application-performance-3ef9febf',
      'AzurermSpringCloudDynatraceApplicationPerformanceMonitoring',
    ],
    [
      'google_access_context_manager_service_perimeter_dry_run_ingress_policy',
      'google-access-context-manager-service-perimeter-dry-ru-a07aaaa0',
      'google-access-context-manager-service-perimeter-dry-ru-a07aaaa0',
      'GoogleAccessContextManagerServicePerimeterDryRunInga07aaaa0',
    ],
    [
      'azurerm_security_center_server_vulnerability_assessment_virtual_machine',
      'azurerm-security-center-server-vulnerability-assessmen-8a5a5138',
      'azurerm-security-center-server-vulnerability-assessmen-8a5a5138',
      'AzurermSecurityCenterServerVulnerabilityAssessmentV8a5a5138',
    ],
  ])('%s', (type, plural, singular, kind) => {
    expect(kindNames(type, 'managed')).toEqual({ plural, singular, kind, listKind: `${kind}List` })
  })

  it('keeps its singular if only the plural is too long', () => {
    const type = `aws_${'o'.repeat(59)}`
    expect(kindNames(type, 'managed').singular).toBe(type.replace('_', '-'))
    expect(kindNames(type, 'managed').plural).toMatch(/^aws-o{50}-[0-9a-f]{8}$/)
  })
})

it.each([
  ['aws_subnet', 'aws-subnet', 'AwsSubnet'],
  ['aws_subnets', 'aws-subnets', 'AwsSubnets'],
])('a data source %s has one name for one and many', (type, name, kind) => {
  expect(kindNames(type, 'data')).toEqual({ plural: name, singular: name, kind, listKind: `${kind}List` })
})

describe('conflicting names', () => {
  const pluralsOf = (types: readonly string[]) => [...nameKinds(types, 'managed')].map(([, names]) => names)

  it('get the suffix 2 for the later type in byte order', () => {
    const types = ['aws_lakeformation_resource_lf_tags', 'aws_lakeformation_resource_lf_tag']
    for (const given of [types, types.toReversed()])
      expect(pluralsOf(given)).toEqual([
        {
          plural: 'aws-lakeformation-resource-lf-tags',
          singular: 'aws-lakeformation-resource-lf-tag',
          kind: 'AwsLakeformationResourceLfTag',
          listKind: 'AwsLakeformationResourceLfTagList',
        },
        {
          plural: 'aws-lakeformation-resource-lf-tagses-2',
          singular: 'aws-lakeformation-resource-lf-tags-2',
          kind: 'AwsLakeformationResourceLfTags2',
          listKind: 'AwsLakeformationResourceLfTags2List',
        },
      ])
  })

  it("get the suffix 3 for a third type, also if the second name is a type's own", () => {
    expect(pluralsOf(['a_b1', 'a_b_1', 'a_b__1']).map(({ kind }) => kind)).toEqual(['AB1', 'AB12', 'AB13'])
    expect(pluralsOf(['a_tag', 'a_tags', 'a_tags_2']).map(({ singular }) => singular)).toEqual([
      'a-tag',
      'a-tags-2',
      'a-tags-2-2',
    ])
  })

  it('are resolved between a kind and the list kind of another', () => {
    expect(pluralsOf(['aws_prefix', 'aws_prefix_list']).map(({ kind }) => kind)).toEqual([
      'AwsPrefix',
      'AwsPrefixList2',
    ])
  })

  it('stay within the length limit', () => {
    const long = `aws_${'o'.repeat(58)}`
    const [, second] = pluralsOf([long, `${long}s`])
    expect(second!.plural).toMatch(/^aws-o{48}-[0-9a-f]{8}-2$/)
    expect(second!.listKind).toMatch(/^AwsOo{46}[0-9a-f]{8}2List$/)
  })

  it('stay once they are served, also after their types are gone', () => {
    const first = nameKinds(['a_tags'], 'managed')
    const then = nameKinds(['a_tag', 'a_tags'], 'managed', first)
    expect(then.get('a_tags')).toEqual(first.get('a_tags'))
    expect(then.get('a_tag')).toMatchObject({ plural: 'a-tags-2', kind: 'ATag2' })
    expect(nameKinds(['a_tag'], 'managed', first).get('a_tag')).toMatchObject({ plural: 'a-tags-2' })
  })
})

it('every name is a DNS label, no two types share one, and the same types get the same names', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 's', 'y', '1', '_'), minLength: 1, maxLength: 75 })
  const types = fc.uniqueArray(
    word.map((text) => `p_${text}`),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(types, fc.constantFrom('managed' as const, 'data' as const), (given, mode) => {
      const named = nameKinds(given, mode)
      const resources = new Set<string>()
      const kinds = new Set<string>()
      for (const { plural, singular, kind, listKind } of named.values()) {
        expect([...dns1035LabelProblems(plural), ...dns1035LabelProblems(singular)]).toEqual([])
        expect(listKind.length).toBeLessThanOrEqual(63)
        for (const name of new Set([plural, singular])) expect(resources.size).toBeLessThan(resources.add(name).size)
        for (const name of [kind, listKind]) expect(kinds.size).toBeLessThan(kinds.add(name.toLowerCase()).size)
      }
      expect(nameKinds(given.toReversed(), mode)).toEqual(named)
    }),
  )
})
