// OpenAPI document: prints the API's description as JSON without starting a Worker. It runs in its own process, because
// it needs the Worker's types.
import { createApp } from "#routes/app.ts";
import { openApiDocument } from "#routes/reference/openapi.ts";
import { actionTypes } from "#runners/registry.ts";

const app = createApp(() => {
  throw new Error("nothing is asked of it");
});
console.log(JSON.stringify(openApiDocument(app, actionTypes), null, 2));
