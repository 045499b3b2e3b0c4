/**
 * An OpenAPI 3 schema with two differences: `$ref` is the bare name of a definition, and keywords next to it (a default, a
 * description) apply too. The code that builds documents rewrites both into the form of the document's OpenAPI version.
 */
export type OpenApiSchema = Readonly<Record<string, unknown>>

/** The contribution of a type to OpenAPI documents. */
export interface OpenApi {
  /** The name of the definition of its objects. Default: reversed group, version, kind (`com.example.v1.Foo`). */
  readonly name?: string
  /**
   * Changes exactly when the definitions change. It is cheap to read: the ETags of documents are computed from fingerprints,
   * without building the documents.
   */
  readonly fingerprint: string
  /** Builds the definitions; called for each document and not cached. */
  readonly definitions: () => OpenApiDefinitions
}

/** The schema of a type's objects and the definitions that it refers to. */
export interface OpenApiDefinitions {
  /** The schema of an object. Documents replace its apiVersion, kind and metadata by the standard ones. */
  readonly schema: OpenApiSchema
  /**
   * Returns a definition that a schema refers to; undefined for the server's own (`io.k8s.…`). A document contains each name
   * once, so definitions of different types with the same name must be equal: derive shared names from the content.
   */
  readonly definition?: (name: string) => OpenApiSchema | undefined
}
