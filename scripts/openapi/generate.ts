// API types: generates TypeScript types from the API's description with openapi-typescript.
import { registerHooks } from "node:module";

const withApi = new URL("./typescript-with-api.ts", import.meta.url).href;

export async function typesOf(document: string): Promise<string> {
  registerHooks({ resolve: (name, context, next) => next(name === "typescript" ? withApi : name, context) });
  const { default: generate, astToString } = await import("openapi-typescript");
  return astToString(await generate(document));
}
