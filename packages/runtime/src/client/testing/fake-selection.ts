import { type LabelSelector, labelSelectorFromText } from '@hykube/machinery/object'
import { badRequest } from '@hykube/machinery/status'

/** What a list or watch of the fake selects. */
export interface FakeSelection {
  readonly labels: LabelSelector
  readonly name: string | undefined
}

/** Reads the selectors of a query. The fake knows the one field that every server knows. */
export function selectionFrom(query: URLSearchParams): FakeSelection {
  const fields = query.get('fieldSelector') ?? ''
  const match = /^metadata\.name=(.+)$/.exec(fields)
  if (fields !== '' && match === null) throw badRequest(`field selector ${JSON.stringify(fields)} is not supported`)
  return { labels: labelSelectorFromText(query.get('labelSelector') ?? ''), name: match?.[1] }
}
