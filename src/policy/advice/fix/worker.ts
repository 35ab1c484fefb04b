// Suggested fixes for methods of bound Workers.
import { transient, permanent, fixable, type Fixes } from "./entry.ts";

export const workerFixes: Fixes = {
  service_not_open: fixable(
    "Actions may not call this Worker. Add it to ACTION_SERVICES, or retry with another service.",
  ),
  service_not_bound: fixable("Bind the Worker that ACTION_SERVICES names as a service, then retry."),
  service_overloaded: transient("The Worker was overloaded. Retry later."),
  service_limit_exceeded: fixable(
    "The method exceeded the Worker's CPU or memory limit and may have taken effect. Give the method less work, then retry.",
  ),
  service_recursion: fixable("The Workers called each other too many times. Remove the loop, then retry."),
  method_missing: fixable("The Worker has no such method. Deploy the method or correct the field method, then retry."),
  method_threw: transient("The method threw an error. Read the message and check the field repeatSafe, then retry."),
  result_not_json: permanent(
    "The method ran, but its result is not JSON. Check its effect. Change the method so that it returns plain JSON.",
  ),
  result_too_large: permanent(
    "The method ran, but its result is too large. Check its effect. Change the method so that it returns less.",
  ),
};
