/** What the documents need to know of a served resource. */
export interface OpenApiResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly OpenApiSubresource[]
  /** Whether PATCH takes a strategic merge; kubectl sends one wherever the document offers it. */
  readonly strategicMerge: boolean
  /** The name of the definition of its objects; that of lists ends in `List`. */
  readonly definition: string
}

/** A subresource, with the kind it speaks when that is another than its parent's. */
export interface OpenApiSubresource {
  readonly name: string
  readonly verbs: readonly string[]
  readonly speaks?: {
    readonly group: string
    readonly version: string
    readonly kind: string
    readonly definition: string
  }
}

/** Definitions by name, as they go into the document. */
export type OpenApiDefinitions = ReadonlyMap<string, unknown>

/** The OpenAPI v3 document of one group-version. */
export function openApiV3Document(resources: readonly OpenApiResource[], definitions: OpenApiDefinitions): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Hykube', version: 'unversioned' },
    paths: Object.fromEntries(resources.flatMap((resource) => pathsOf(resource, v3))),
    components: { schemas: Object.fromEntries(definitions) },
  }
}

/** The OpenAPI v2 document of everything served. */
export function openApiV2Document(resources: readonly OpenApiResource[], definitions: OpenApiDefinitions): object {
  return {
    swagger: '2.0',
    info: { title: 'Hykube', version: 'unversioned' },
    paths: Object.fromEntries(resources.flatMap((resource) => pathsOf(resource, v2))),
    definitions: Object.fromEntries(definitions),
  }
}

/** Where a definition is referred to in each version. */
export const openApiReference = {
  v2: (name: string): string => `#/definitions/${name}`,
  v3: (name: string): string => `#/components/schemas/${name}`,
} as const

/** How one version of OpenAPI writes a parameter and an operation. */
interface Dialect {
  readonly parameter: (place: 'query' | 'path', name: string, type: string) => object
  readonly operation: (facts: OperationFacts) => object
}

interface OperationFacts {
  readonly action: string
  readonly gvk: object
  readonly parameters: readonly object[]
  readonly body: { readonly definition: string | undefined; readonly types: readonly string[] } | undefined
  readonly answer: string
  readonly code: string
}

const v3: Dialect = {
  parameter: (place, name, type) => ({
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    schema: { type, uniqueItems: true },
  }),
  operation: ({ action, gvk, parameters, body, answer, code }) => ({
    parameters,
    ...(body !== undefined && {
      requestBody: {
        ...(action !== 'delete' && action !== 'deletecollection' && { required: true }),
        content: Object.fromEntries(
          body.types.map((type) => [
            type,
            {
              schema:
                body.definition === undefined ? { type: 'object' } : { $ref: openApiReference.v3(body.definition) },
            },
          ]),
        ),
      },
    }),
    responses: {
      [code]: {
        description: 'OK',
        content: Object.fromEntries(
          answerTypes.map((type) => [type, { schema: { $ref: openApiReference.v3(answer) } }]),
        ),
      },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  }),
}

const v2: Dialect = {
  parameter: (place, name, type) => ({
    name,
    in: place,
    type,
    uniqueItems: true,
    ...(place === 'path' && { required: true }),
  }),
  operation: ({ action, gvk, parameters, body, answer, code }) => ({
    ...(body !== undefined && { consumes: body.types }),
    produces: answerTypes,
    parameters: [...(body === undefined ? [] : [bodyParameter(body.definition)]), ...parameters],
    responses: { [code]: { description: 'OK', schema: { $ref: openApiReference.v2(answer) } } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  }),
}

function bodyParameter(definition: string | undefined): object {
  const schema = definition === undefined ? { type: 'object' } : { $ref: openApiReference.v2(definition) }
  return { name: 'body', in: 'body', required: true, schema }
}

const answerTypes = ['application/json', 'application/yaml']
const bodyTypes = ['application/json', 'application/yaml']

const listParameters = [
  ['allowWatchBookmarks', 'boolean'],
  ['continue', 'string'],
  ['fieldSelector', 'string'],
  ['labelSelector', 'string'],
  ['limit', 'integer'],
  ['resourceVersion', 'string'],
  ['resourceVersionMatch', 'string'],
  ['sendInitialEvents', 'boolean'],
  ['timeoutSeconds', 'integer'],
  ['watch', 'boolean'],
] as const

const writeParameters = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
] as const

const deleteParameters = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
] as const

function pathsOf(resource: OpenApiResource, dialect: Dialect): [string, object][] {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  const scope = resource.namespaced ? `${root}/namespaces/{namespace}` : root
  const inPath = (names: readonly string[]): object[] => names.map((name) => dialect.parameter('path', name, 'string'))
  const namespace = resource.namespaced ? ['namespace'] : []
  const pretty = dialect.parameter('query', 'pretty', 'string')
  const collection = `${scope}/${resource.plural}`
  const paths: [string, object][] = [
    [collection, { ...collectionOperations(resource, dialect), parameters: [...inPath(namespace), pretty] }],
    [
      `${collection}/{name}`,
      {
        ...objectOperations(resource, resource.verbs, dialect, undefined),
        parameters: [...inPath(['name', ...namespace]), pretty],
      },
    ],
  ]
  for (const subresource of resource.subresources) {
    const operations = objectOperations(resource, subresource.verbs, dialect, subresource)
    const parameters = [...inPath(['name', ...namespace]), pretty]
    paths.push([`${collection}/{name}/${subresource.name}`, { ...operations, parameters }])
  }
  if (resource.namespaced && resource.verbs.includes('list')) {
    paths.push([`${root}/${resource.plural}`, { get: listOperation(resource, dialect), parameters: [pretty] }])
  }
  return paths.filter(([, operations]) => Object.keys(operations).length > 1)
}

function collectionOperations(resource: OpenApiResource, dialect: Dialect): Record<string, object> {
  const { verbs, definition } = resource
  const gvk = gvkOf(resource)
  return {
    ...(verbs.includes('list') && { get: listOperation(resource, dialect) }),
    ...(verbs.includes('create') && {
      post: dialect.operation({
        action: 'post',
        gvk,
        parameters: query(dialect, writeParameters),
        body: { definition, types: bodyTypes },
        answer: definition,
        code: '201',
      }),
    }),
    ...(verbs.includes('deletecollection') && {
      delete: dialect.operation({
        action: 'deletecollection',
        gvk,
        parameters: query(dialect, [...listParameters.filter(([name]) => name !== 'watch'), ...deleteParameters]),
        body: { definition: deleteOptions, types: bodyTypes },
        answer: status,
        code: '200',
      }),
    }),
  }
}

function listOperation(resource: OpenApiResource, dialect: Dialect): object {
  return dialect.operation({
    action: 'list',
    gvk: gvkOf(resource),
    parameters: query(dialect, listParameters),
    body: undefined,
    answer: `${resource.definition}List`,
    code: '200',
  })
}

function objectOperations(
  resource: OpenApiResource,
  verbs: readonly string[],
  dialect: Dialect,
  subresource: OpenApiSubresource | undefined,
): Record<string, object> {
  const spoken = subresource?.speaks
  const gvk = spoken === undefined ? gvkOf(resource) : gvkOf(spoken)
  const answer = spoken?.definition ?? resource.definition
  const write = (action: string, types: readonly string[], definition: string | undefined, code: string): object =>
    dialect.operation({
      action,
      gvk,
      parameters: query(dialect, action === 'patch' ? [...writeParameters, ['force', 'boolean']] : writeParameters),
      body: { definition, types },
      answer,
      code,
    })
  return {
    ...(verbs.includes('get') && {
      get: dialect.operation({ action: 'get', gvk, parameters: [], body: undefined, answer, code: '200' }),
    }),
    ...(verbs.includes('update') && { put: write('put', bodyTypes, answer, '200') }),
    ...(subresource !== undefined && verbs.includes('create') && { post: write('post', bodyTypes, answer, '201') }),
    ...(verbs.includes('patch') && { patch: write('patch', patchTypes(resource), undefined, '200') }),
    ...(subresource === undefined &&
      verbs.includes('delete') && {
        delete: dialect.operation({
          action: 'delete',
          gvk,
          parameters: query(dialect, deleteParameters),
          body: { definition: deleteOptions, types: bodyTypes },
          answer: status,
          code: '200',
        }),
      }),
  }
}

const deleteOptions = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'
const status = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status'

function patchTypes(resource: OpenApiResource): string[] {
  return [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(resource.strategicMerge ? ['application/strategic-merge-patch+json'] : []),
  ]
}

function gvkOf({ group, version, kind }: { group: string; version: string; kind: string }): object {
  return { group, version, kind }
}

function query(dialect: Dialect, parameters: readonly (readonly [string, string])[]): object[] {
  return parameters.map(([name, type]) => dialect.parameter('query', name, type))
}
