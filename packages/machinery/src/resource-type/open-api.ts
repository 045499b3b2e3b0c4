/**
 * A JSON schema as OpenAPI 3 has it, but for references: `$ref` holds the bare name of a definition, and what stands beside
 * it (a default, a description) holds too. Documents say where definitions lie, and how both are said together.
 */
export type OpenApiSchema = Readonly<Record<string, unknown>>

/** What OpenAPI documents say of a type. */
export interface OpenApi {
  /** The name of the definition of its objects. Default: the group turned around, version, kind (`com.example.v1.Foo`). */
  readonly name?: string
  /**
   * Differs whenever the definitions do, and stays the same as long as they do. Cheap: the hashes of documents are made
   * of these, without making the documents.
   */
  readonly fingerprint: string
  /** Called each time a document is made; keeps nothing. */
  readonly definitions: () => OpenApiDefinitions
}

/** The schema of a type's objects, and what it refers to. */
export interface OpenApiDefinitions {
  /** The schema of an object. Documents put in apiVersion, kind and metadata, in place of what it says of them. */
  readonly schema: OpenApiSchema
  /**
   * A definition that a schema refers to; undefined for one that the server itself has (`io.k8s.…`). Types that give
   * definitions of the same name mean the same schema by it, so a document has it once: name shared parts by content.
   */
  readonly definition?: (name: string) => OpenApiSchema | undefined
}
