// Says the API's description as the Worker serves it, as a line of JSON, without starting one: what routes and runners are
// declared with is enough. A process of its own: the Worker's types are not those of scripts.
import { createApp } from "#routes/app.ts";
import { openApiDocument } from "#routes/reference/openapi.ts";
import { actionTypes } from "#runners/registry.ts";

const app = createApp(() => {
  throw new Error("nothing is asked of it");
});
console.log(JSON.stringify(openApiDocument(app, actionTypes), null, 2));
