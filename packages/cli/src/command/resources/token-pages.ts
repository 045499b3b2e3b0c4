interface TokenPage {
  readonly metadata?: { readonly continue?: string | undefined } | undefined
}

/** Asks for a list page by page: `ask` takes the continue token of the page before. */
export async function* tokenPages<P extends TokenPage>(
  ask: (token: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
  let token: string | undefined
  do {
    const page = await ask(token)
    yield page
    token = page.metadata?.continue
  } while (token !== undefined && token !== '')
}
