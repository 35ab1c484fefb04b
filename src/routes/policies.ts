// Policies: rules that all of a tenant's actions heed, such as quiet hours.
import { z } from "zod";
import { presentPolicy } from "#wire/policies/present.ts";
import * as shape from "#wire/policies/shape.ts";
import * as query from "#wire/query.ts";
import { deleteNamed } from "#services/named/delete-named.ts";
import { findNamed } from "#services/named/find-named.ts";
import { listPolicies, policyNoun, policyTag, putPolicy } from "#services/policies/policies.ts";
import { crudRoutes } from "./http/crud.ts";

const view = { answer: shape.policyView, present: presentPolicy };

export const policies = crudRoutes({
  tag: "Policies",
  path: "/v1/policies/{ref}",
  params: z.object({ ref: shape.policyRefText }),
  list: { id: "listPolicies", summary: "List policies", query: query.pageQuery, run: listPolicies, ...view },
  get: {
    id: "getPolicy",
    summary: "Get a policy",
    run: (deps, caller, { ref }) => findNamed(deps, caller, policyNoun, ref),
    tag: policyTag,
    ...view,
  },
  put: {
    id: "putPolicy",
    summary: "Create or replace a policy",
    description:
      "Attempts heed the change within half a minute. Runs that are already held are checked again at the end of their hold.",
    body: shape.putPolicyBody,
    run: putPolicy,
    answer: shape.putPolicyView,
    present: presentPolicy,
  },
  remove: {
    id: "deletePolicy",
    summary: "Delete a policy",
    description: "Runs that the policy holds stay held until the end of their hold.",
    run: (deps, caller, input) => deleteNamed(deps, caller, policyNoun, input),
    ...view,
  },
});
