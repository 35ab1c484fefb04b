// Connections: a tenant's accounts at providers. No response contains the value of a secret.
import { z } from "zod";
import * as shape from "#wire/connections/shape.ts";
import { presentConnection, presentInUse } from "#wire/connections/present.ts";
import * as query from "#wire/query.ts";
import { provider } from "#schema/connection.ts";
import {
  createConnection,
  deleteConnection,
  getConnection,
  connectionTag,
  listConnections,
  putConnection,
  updateConnection,
} from "#services/connections/connections.ts";
import { testConnection } from "#services/connections/test-connection.ts";
import { answer } from "./http/answer.ts";
import { crudRoutes } from "./http/crud.ts";
import { endpoint } from "./http/endpoint.ts";

const tag = "Connections";
const params = z.object({ ref: shape.connectionRefText });
const view = { answer: shape.connectionView, present: presentConnection };

const test = endpoint("testConnection", {
  method: "post",
  path: "/v1/connections/{ref}/test",
  tag,
  summary: "Test a connection",
  description:
    "Decrypts the connection's secrets, requests an access token if the connection needs one, and makes the provider's cheapest authenticated call.",
  request: { params, query: query.plainQuery },
  answer: shape.testedConnection,
});

export const connections = crudRoutes({
  tag,
  path: "/v1/connections/{ref}",
  params,
  create: {
    id: "createConnection",
    summary: "Create a connection",
    description:
      "`credentials` names stored secrets, which may be set later. After you have created the connection, test it.",
    body: shape.createConnectionBody,
    run: createConnection,
    ...view,
  },
  list: {
    id: "listConnections",
    summary: "List connections",
    query: query.pageQueryWith({ provider: provider.optional() }),
    run: (deps, caller, { filters, ...page }) =>
      listConnections(deps, caller, { provider: filters.provider ?? null, ...page }),
    ...view,
  },
  get: {
    id: "getConnection",
    summary: "Get a connection",
    run: getConnection,
    tag: connectionTag,
    answer: shape.connectionInUse,
    present: presentInUse,
  },
  put: {
    id: "putConnection",
    summary: "Create or replace a connection",
    description: "The change takes effect within seconds. The provider of a connection cannot be changed.",
    body: shape.putConnectionBody,
    run: putConnection,
    answer: shape.putConnectionView,
    present: presentConnection,
  },
  update: {
    id: "updateConnection",
    summary: "Update a connection",
    description: "The change takes effect within seconds. The provider of a connection cannot be changed.",
    body: shape.patchConnectionBody,
    run: updateConnection,
    ...view,
  },
  remove: {
    id: "deleteConnection",
    summary: "Delete a connection",
    description:
      "After the deletion the name can be used again. Runs that use the connection fail with `invalid_configuration`.",
    run: deleteConnection,
    ...view,
  },
}).openapi(test, async (c) => {
  const result = await testConnection(c.var.deps, c.var.caller, c.req.valid("param"));
  return answer(c, result, (tested) => tested);
});
