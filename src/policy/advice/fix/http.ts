// What to do about an HTTP status that no runner knew more of, and about calls that got no answer.
import { transient, obsolete, fixable, type Fixes } from "./entry.ts";

export const httpFixes: Fixes = {
  http_400: fixable(
    "The receiver found fault with the request: its answer says what. Retry with the config put right.",
  ),
  http_404: fixable("There is nothing at this address: check the URL, then retry with it put right."),
  http_409: fixable(
    "The receiver says that it conflicts with what is there, perhaps an earlier try: look, then decide.",
  ),
  http_410: obsolete("What stood at this address is gone for good. Archive it, or retry with another address."),
  http_413: fixable("The receiver takes less than was sent: retry with a smaller payload."),
  http_422: fixable("The receiver understood the request and refused its content. Retry with the config put right."),
  http_502: transient(
    "A gateway had no answer. Whether the receiver acted is unknown: look at repeatSafe, then retry.",
  ),
  http_504: transient(
    "A gateway waited in vain. Whether the receiver acted is unknown: look at repeatSafe, then retry.",
  ),
  deadline: transient(
    "Nobody answered within the action's timeout. Look at repeatSafe, then retry; if it happens again, raise the timeout.",
  ),
  connection: transient("The connection failed. Check that the host is up and its name right, then retry."),
  egress_refused: fixable(
    "The address may not be called from here (private, not https, or not allowed): change the URL.",
  ),
};
