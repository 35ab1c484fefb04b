// The stock client on types that are generated from /openapi.json; they are written beside this file before it is compiled.
import createClient from "openapi-fetch";
import type { paths } from "./api.ts";

export const client = createClient<paths>({
  baseUrl: "https://engine.example.com",
  headers: { Authorization: "Bearer esk_example" },
});
