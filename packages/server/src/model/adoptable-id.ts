/** Returns the id under which a resource can be adopted: its attribute `id`, or its identity as JSON for types without ids. */
export function adoptableId(
  attributes: Readonly<Record<string, unknown>> | undefined,
  identityJson: string | undefined,
): string | undefined {
  if (typeof attributes?.id === 'string' && attributes.id !== '') return attributes.id
  return identityJson
}
