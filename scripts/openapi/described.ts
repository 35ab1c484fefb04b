// OpenAPI document: prints the API's description as JSON without starting a Worker. It runs in its own process, because
// it needs the Worker's types.
import { createApp } from "#routes/app.ts";
import { openApiDocument } from "#routes/reference/openapi.ts";
import { actionTypes } from "#runners/registry.ts";

const app = createApp(() => {
  throw new Error("the document needs no request");
});
console.log(JSON.stringify(openApiDocument(app, actionTypes), null, 2));
