// Reads all pages of a list: `for await (const row of pages((page) => client.executions.list(page)))`.
import type { Page } from "#wire/query.ts";

export async function* pages<Item>(
  list: (page: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let page = await list({});
  yield* page.data;
  while (page.nextCursor !== null) {
    page = await list({ cursor: page.nextCursor });
    yield* page.data;
  }
}
