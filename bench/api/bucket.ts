/** The measured kind: a custom resource with a schema, about 2 KB per object including managed fields. */
export const bucketDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'buckets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    names: { plural: 'buckets', singular: 'bucket', kind: 'Bucket', listKind: 'BucketList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['region'],
                properties: {
                  region: { type: 'string', maxLength: 64 },
                  versioning: { type: 'boolean', default: true },
                  size: { type: 'integer', minimum: 0 },
                  tags: { type: 'object', additionalProperties: { type: 'string' } },
                  rules: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: {
                        prefix: { type: 'string' },
                        days: { type: 'integer', minimum: 1 },
                        action: { type: 'string', enum: ['Expire', 'Archive'] },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}

export const collection = '/apis/bench.example.com/v1/namespaces/default/buckets'

/** Returns the request body that creates an object of the kind. */
export function bucketBody(index: number): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      apiVersion: 'bench.example.com/v1',
      kind: 'Bucket',
      metadata: {
        name: bucketName(index),
        labels: { app: 'bench', shard: `s${index % 16}`, team: `team-${index % 97}` },
        annotations: { 'bench.example.com/note': 'x'.repeat(300) },
      },
      spec: {
        region: 'eu-west-1',
        size: index,
        tags: { owner: `owner-${index % 1009}`, cost: `center-${index % 31}`, description: 'y'.repeat(200) },
        rules: Array.from({ length: 4 }, (_, at) => ({
          prefix: `logs/${at}/`,
          days: 30 + at,
          action: at % 2 === 0 ? 'Expire' : 'Archive',
        })),
      },
    }),
  )
}

export function bucketName(index: number): string {
  return `bucket-${String(index).padStart(7, '0')}`
}
